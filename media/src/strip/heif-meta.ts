// Removes items from the tables of an AVIF, HEIC or HEIF. Free space takes their place, so that the pictures stay where they are.
import type { FileBytes } from '../media-type.ts';
import type { Heif, Reference, Span } from '../proofs/images/heif-items.ts';
import { contentOf } from '../proofs/images/heif-locations.ts';
import { type Box, walkBoxes } from '../proofs/iso-boxes.ts';
import { blank, freeBox, toFree } from './blank.ts';
import { type Edit, growthOf, removal } from './edit.ts';

const tables = new Set(['hdlr', 'pitm', 'iinf', 'iloc', 'iprp', 'iref', 'idat', 'grpl']);
/** How to decode and to show a picture: size, colours, orientation, crop, layers, lenses. Other properties are text, dates or unknown. */
const pictureProperties = new Set(
  [
    'av1C hvcC lhvC avcC vvcC uncC cmpd splz cpat ispe pixi colr pasp clap irot imir rloc auxC',
    'clli mdcv cclv amve ndwt reve a1op a1lx lsel oinf tols iscl cmin cmex rref subs',
  ]
    .join(' ')
    .split(' '),
);
/** Version, flags, a reserved number, the kind and three more numbers. A name follows. */
const handlerBytes = 24;

export function editMeta(file: FileBytes, heif: Heif, unwanted: ReadonlySet<number>): Edit[] {
  const { parts, items } = heif;
  const names = [...items]
    .filter(([id]) => !unwanted.has(id))
    .map(([, { nameStart, box }]) => ({ start: nameStart, end: box.end }));
  const handlers = parts.filter(({ type }) => type === 'hdlr').map(contentOf);
  const cleared = [
    ...parts.filter(({ type }) => !tables.has(type)).flatMap((box) => toFree(file, box)),
    ...names.flatMap((span) => blank(file, span)),
    ...handlers.flatMap(({ start, end }) => blank(file, { start: start + handlerBytes, end })),
    ...clearProperties(file, heif, unwanted),
  ];
  return [...cleared, ...removeEntries(file, heif, unwanted)];
}

function clearProperties(file: FileBytes, heif: Heif, unwanted: ReadonlySet<number>): Edit[] {
  const { parts, properties, associations } = heif;
  const isCleared = (index: number) => {
    const property = properties[index - 1];
    return property !== undefined && !pictureProperties.has(property.type);
  };
  // Number 0 is no property.
  const kept = associations.filter(({ id }) => !unwanted.has(id));
  const numbers = kept.flatMap(({ values, indexes }) => indexes.filter((_, at) => isCleared(values[at] ?? 0)));
  const others = halvesOf(file, parts).filter(({ type }) => type !== 'ipco' && type !== 'ipma');
  return [
    ...properties.filter((_, at) => isCleared(at + 1)).flatMap((box) => toFree(file, box)),
    ...others.flatMap((box) => toFree(file, box)),
    ...numbers.flatMap((span) => blank(file, span)),
  ];
}

function halvesOf(file: FileBytes, parts: readonly Box[]): Box[] {
  return parts
    .filter(({ type }) => type === 'iprp')
    .flatMap((box) => walkBoxes(file, contentOf(box).start, box.end) ?? []);
}

/** The entries of unwanted items in every table. */
function removeEntries(file: FileBytes, heif: Heif, unwanted: ReadonlySet<number>): Edit[] {
  if (unwanted.size === 0) return [];
  const { parts, items, locations, references, associations } = heif;
  const only = (type: string, boxes: readonly Box[] = parts) => boxes.filter((box) => box.type === type);
  const isUnwanted = ({ id }: { readonly id: number }) => unwanted.has(id);
  const entries = [...items].filter(([id]) => unwanted.has(id)).map(([, { box }]) => box);
  const widthOf = (box: Box, wide: number) => ((file.read(contentOf(box).start, 1)[0] ?? 0) >= wide ? 4 : 2);
  const ipma = only('ipma', halvesOf(file, parts)).map((box) =>
    shortened(
      file,
      box,
      associations.filter(isUnwanted).map(({ entry }) => entry),
      { at: 4, bytes: 4 },
    ),
  );
  const shorter = [
    ...only('iinf').map((box) => shortened(file, box, entries, { at: 4, bytes: widthOf(box, 1) })),
    ...only('iloc').map((box) =>
      shortened(
        file,
        box,
        locations.filter(isUnwanted).map(({ entry }) => entry),
        { at: 6, bytes: widthOf(box, 2) },
      ),
    ),
    ...only('iref').map((box) =>
      sized(
        box,
        references.flatMap((reference) => editReference(reference, unwanted)),
      ),
    ),
    ...only('iprp').map((box) => sized(box, ipma.flat())),
  ].flat();
  // An entry in the list of items has more bytes than the header of a box.
  return [...only('iinf').flatMap(({ end }) => freeBox(end, -growthOf(shorter))), ...shorter];
}

/** A table without some entries. `count` is the place of their number in its content. */
function shortened(file: FileBytes, box: Box, entries: readonly Span[], count: { at: number; bytes: number }): Edit[] {
  if (entries.length === 0) return [];
  const at = contentOf(box).start + count.at;
  const number = Buffer.alloc(count.bytes);
  number.writeUIntBE(file.read(at, count.bytes).readUIntBE(0, count.bytes) - entries.length, 0, count.bytes);
  return sized(box, [{ from: at, to: at + count.bytes, bytes: number }, ...entries.map(removal)]);
}

function editReference({ box, from, to }: Reference, unwanted: ReadonlySet<number>): Edit[] {
  const rest = to.filter((id) => !unwanted.has(id));
  if (unwanted.has(from) || rest.length === 0) return [removal(box)];
  if (rest.length === to.length) return [];
  const { start, end } = contentOf(box);
  const idBytes = (end - start - 2) / (to.length + 1);
  const targets = Buffer.alloc(2 + rest.length * idBytes);
  targets.writeUInt16BE(rest.length);
  for (const [index, id] of rest.entries()) targets.writeUIntBE(id, 2 + index * idBytes, idBytes);
  return sized(box, [{ from: start + idBytes, to: end, bytes: targets }]);
}

/** The edits inside a box, and the edit of its size. */
function sized(box: Box, inside: readonly Edit[]): Edit[] {
  const size = box.end - box.start + growthOf(inside);
  if (inside.length === 0) return [];
  const isLong = box.headerSize === 16;
  const bytes = Buffer.alloc(isLong ? 8 : 4);
  bytes.writeUIntBE(size, isLong ? 2 : 0, isLong ? 6 : 4);
  const at = isLong ? box.start + 8 : box.start;
  return [{ from: at, to: at + bytes.length, bytes }, ...inside];
}
