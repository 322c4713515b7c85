// Reads the items of a picture in ISO boxes (AVIF, HEIC): their types, properties, references, and where their bytes are.
import type { FileBytes } from '../../media-type.ts';
import { type Box, walkBoxes } from '../iso-boxes.ts';
import { findOnly, maxTableBytes, openTable, readTable, type Table } from './heif-table.ts';

export type Size = { width: number; height: number };
export type Span = { readonly start: number; readonly end: number };

type Item = {
  readonly type: string;
  /** Its entry in the list of items. */
  readonly box: Box;
  /** The name, or for other types more text, until the end of the entry. */
  readonly nameStart: number;
};
/** An entry of the table of locations. Extents are places in the file. */
export type Located = { readonly id: number; readonly entry: Span; readonly extents: readonly Span[] };
export type Reference = { readonly box: Box; readonly from: number; readonly to: readonly number[] };
/** The properties of an item: their indexes, from 1, and the places of these numbers in the file. */
type Association = { readonly id: number; readonly entry: Span; readonly indexes: readonly Span[] } & {
  readonly values: readonly number[];
};

export type Heif = {
  readonly boxes: readonly Box[];
  /** The boxes inside `meta`. */
  readonly parts: readonly Box[];
  readonly primary: number;
  readonly items: ReadonlyMap<number, Item>;
  readonly locations: readonly Located[];
  readonly references: readonly Reference[];
  readonly properties: readonly Box[];
  readonly associations: readonly Association[];
};

/** Coded pictures, each with the property that configures its decoder. */
export const codecs: Readonly<Record<string, string>> = {
  av01: 'av1C',
  hvc1: 'hvcC',
  hev1: 'hvcC',
  lhv1: 'lhvC',
  avc1: 'avcC',
  vvc1: 'vvcC',
  unci: 'uncC',
};
const derived = new Set(['grid', 'iovl', 'iden', 'sato', 'tmap']);

export function isPicture(type: string): boolean {
  return derived.has(type) || Object.hasOwn(codecs, type);
}

/** A string describes the defect. The file may use only these codecs. */
export function readHeif(file: FileBytes, boxes: readonly Box[], coded: readonly string[]): Heif | string {
  const meta = findOnly(boxes, 'meta');
  const parts = meta && walkBoxes(file, meta.start + meta.headerSize + 4, meta.end);
  if (parts === undefined) return 'no meta box, or a broken one';
  if (readTable(file, parts, 'hdlr')?.text(8, 4) !== 'pict') return 'the handler is not a picture';
  const pitm = readTable(file, parts, 'pitm');
  const primary = pitm?.uint(pitm.version === 0 ? 2 : 4) ?? 0;
  if (pitm === undefined || pitm.isOverrun()) return 'no primary item';
  const items = readItems(file, findOnly(parts, 'iinf'));
  if (items === undefined) return 'no item list, or a broken one';
  const type = items.get(primary)?.type ?? 'nothing';
  if (!derived.has(type) && !coded.includes(type)) return `the primary item is ${type}`;
  const described = readProperties(file, parts);
  if (typeof described === 'string') return described;
  const references = readReferences(file, parts);
  if (references === undefined) return 'broken references';
  const typeOf = (id: number) => items.get(id)?.type ?? '';
  const isLost = ({ box, from, to }: Reference) =>
    box.type === 'dimg' && isPicture(typeOf(from)) && !to.every((id) => isPicture(typeOf(id)));
  if (references.some(isLost)) return 'a picture that is made of something else';
  const isMade = findParts(references, primary).some((id) => coded.includes(typeOf(id)));
  if (!isMade) return `the primary item is ${type}, made of nothing`;
  return { boxes, parts, primary, items, references, locations: [], ...described };
}

function readItems(file: FileBytes, iinf: Box | undefined): Map<number, Item> | undefined {
  if (iinf === undefined) return undefined;
  const from = iinf.start + iinf.headerSize;
  const head = openTable(file.read(from, 8));
  const countBytes = head.version === 0 ? 2 : 4;
  const entries = walkBoxes(file, from + 4 + countBytes, iinf.end);
  if (entries === undefined || entries.length !== head.uint(countBytes)) return undefined;
  const items = new Map<number, Item>();
  for (const box of entries) {
    const start = box.start + box.headerSize;
    const entry = openTable(file.read(start, Math.min(box.end - start, 14)));
    const idBytes = entry.version === 2 ? 2 : 4;
    const id = entry.uint(idBytes);
    if (box.type !== 'infe' || entry.version < 2 || entry.length < idBytes + 10 || items.has(id)) return undefined;
    items.set(id, { type: entry.text(idBytes + 6, 4), box, nameStart: start + idBytes + 10 });
  }
  return items;
}

function readProperties(file: FileBytes, parts: readonly Box[]): Pick<Heif, 'properties' | 'associations'> | string {
  const iprp = findOnly(parts, 'iprp');
  const halves = iprp && walkBoxes(file, iprp.start + iprp.headerSize, iprp.end);
  const ipco = halves && findOnly(halves, 'ipco');
  const properties = ipco && walkBoxes(file, ipco.start + ipco.headerSize, ipco.end);
  const ipma = halves && readTable(file, halves, 'ipma');
  if (properties === undefined || ipma === undefined) return 'no item properties, or broken ones';
  const associations = readAssociations(ipma, properties.length);
  return associations === undefined ? 'broken property associations' : { properties, associations };
}

/** Undefined if any entry points outside the list. */
function readAssociations(ipma: Table, propertyCount: number): Association[] | undefined {
  const indexBytes = (ipma.flags & 1) === 1 ? 2 : 1;
  const list: Association[] = [];
  const entries = ipma.uint(4);
  for (let entry = 0; entry < entries && !ipma.isOverrun(); entry++) {
    const start = ipma.position();
    const id = ipma.uint(ipma.version === 0 ? 2 : 4);
    const count = ipma.uint(1);
    const values: number[] = [];
    const indexes: Span[] = [];
    for (let at = 0; at < count; at++) {
      const indexAt = ipma.position();
      // The highest bit says whether the property is essential.
      const index = ipma.uint(indexBytes) & (indexBytes === 2 ? 0x7fff : 0x7f);
      if (index > propertyCount) return undefined;
      values.push(index);
      indexes.push({ start: indexAt, end: ipma.position() });
    }
    list.push({ id, entry: { start, end: ipma.position() }, indexes, values });
  }
  return ipma.isOverrun() ? undefined : list;
}

function readReferences(file: FileBytes, parts: readonly Box[]): Reference[] | undefined {
  if (!parts.some(({ type }) => type === 'iref')) return [];
  const iref = findOnly(parts, 'iref');
  if (iref === undefined || iref.end - iref.start > maxTableBytes) return undefined;
  const from = iref.start + iref.headerSize;
  const idBytes = file.read(from, 1)[0] === 0 ? 2 : 4;
  const boxes = walkBoxes(file, from + 4, iref.end);
  if (boxes === undefined) return undefined;
  const references: Reference[] = [];
  for (const box of boxes) {
    const start = box.start + box.headerSize;
    const [head, ends] = [openTable(file.read(start - 4, idBytes + 6)), start + idBytes + 2];
    const [source, count] = [head.uint(idBytes), head.uint(2)];
    if (head.isOverrun() || ends + count * idBytes !== box.end) return undefined;
    const targets = openTable(file.read(ends - 4, 4 + count * idBytes));
    references.push({ box, from: source, to: Array.from({ length: count }, () => targets.uint(idBytes)) });
  }
  return references;
}

/** The item itself, the pictures that it is made of, and theirs. */
function findParts(references: readonly Reference[], item: number): number[] {
  const parts = new Map<number, number[]>();
  for (const { from, to } of references.filter(({ box }) => box.type === 'dimg')) {
    const known = parts.get(from);
    if (known === undefined) parts.set(from, [...to]);
    else known.push(...to);
  }
  const found = new Set([item]);
  // A set also yields what is added while it is read.
  for (const id of found) for (const part of parts.get(id) ?? []) found.add(part);
  return [...found];
}

/** The properties of an item, in their order. */
function propertiesOf({ associations, properties }: Heif, item: number): Box[] {
  return associations
    .filter(({ id }) => id === item)
    .flatMap(({ values }) => values.map((index) => properties[index - 1]))
    .filter((property) => property !== undefined);
}

export function readItemSize(file: FileBytes, heif: Heif): Size | string {
  const { items, primary } = heif;
  const own = propertiesOf(heif, primary);
  const configuration = codecs[items.get(primary)?.type ?? ''];
  if (configuration !== undefined && findOnly(own, configuration) === undefined) return `no ${configuration}`;
  const ispe = readTable(file, own, 'ispe');
  if (ispe === undefined || ispe.length !== 12) return 'no size, or more than one';
  const [width, height] = [ispe.uint(4), ispe.uint(4)];
  return width > 0 && height > 0 ? { width, height } : 'no width or height';
}
