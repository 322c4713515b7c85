// Proves an AVIF: boxes fill the file, the primary AV1 item has a size, and every item's bytes are inside the data boxes.
import { corrupt, type FileBytes, type Proof, proved } from '../media-type.ts';
import { type Box, walkBoxes } from './iso-boxes.ts';

type Size = { width: number; height: number };
type Span = { readonly start: number; readonly end: number };
type Meta = { readonly parts: Box[]; readonly primary: number; readonly size: Size };

const brands = new Set(['avif', 'avis']);
const topLevel = new Set(['ftyp', 'meta', 'mdat', 'moov', 'free', 'skip', 'uuid']);
/** AV1 pictures, and pictures derived from them. */
const pictureTypes = new Set(['av01', 'grid', 'iovl', 'iden', 'sato', 'tmap']);
const maxTopLevelBoxes = 100;
const maxTableBytes = 262_144;

export function proveAvif(file: FileBytes): Proof | undefined {
  const major = findBrand(file);
  if (major === undefined) return undefined;
  const boxes = walkBoxes(file, 0, file.size);
  if (boxes === undefined) return corrupt('image/avif', 'the boxes do not fill the file');
  const reason = checkTopLevel(boxes, major);
  if (reason !== undefined) return corrupt('image/avif', reason);
  const meta = readMeta(file, boxes);
  if (typeof meta === 'string') return corrupt('image/avif', meta);
  const broken = checkLocations(file, meta, boxes);
  if (broken !== undefined) return corrupt('image/avif', broken);
  const size = addTracks(file, boxes, meta.size);
  return typeof size === 'string' ? corrupt('image/avif', size) : proved('image/avif', size);
}

/** Returns the major brand if the brands include AVIF. */
function findBrand(file: FileBytes): string | undefined {
  const head = file.read(0, 4096);
  if (head.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const major = head.toString('latin1', 8, 12);
  const end = Math.min(head.readUInt32BE(0), head.length);
  let isAvif = brands.has(major);
  for (let at = 16; at + 4 <= end; at += 4) isAvif ||= brands.has(head.toString('latin1', at, at + 4));
  return isAvif ? major : undefined;
}

function checkTopLevel(boxes: Box[], major: string): string | undefined {
  const [first] = boxes;
  if (first === undefined || first.end < 16 || first.end % 4 !== 0) return 'wrong ftyp';
  if (boxes.length > maxTopLevelBoxes) return 'too many boxes';
  const unknown = boxes.find(({ type }) => !topLevel.has(type));
  if (unknown !== undefined) return `box ${unknown.type} at the top level`;
  for (const type of ['ftyp', 'meta', 'moov']) {
    if (boxes.filter((box) => box.type === type).length > 1) return `two ${type}`;
  }
  return major === 'avis' && !boxes.some(({ type }) => type === 'moov') ? 'a sequence without moov' : undefined;
}

function findOnly(boxes: Box[], type: string): Box | undefined {
  const found = boxes.filter((box) => box.type === type);
  return found.length === 1 ? found[0] : undefined;
}

function readMeta(file: FileBytes, boxes: Box[]): Meta | string {
  const meta = findOnly(boxes, 'meta');
  const parts = meta && walkBoxes(file, meta.start + meta.headerSize + 4, meta.end);
  if (parts === undefined) return 'no meta box, or a broken one';
  const handler = readTable(file, parts, 'hdlr')?.text(8, 4);
  if (handler !== 'pict') return 'the handler is not a picture';
  const pitm = readTable(file, parts, 'pitm');
  if (pitm === undefined) return 'no primary item';
  const primary = pitm.uint(pitm.version === 0 ? 2 : 4);
  if (pitm.isOverrun()) return 'no primary item';
  const types = readItemTypes(file, findOnly(parts, 'iinf'));
  if (types === undefined) return 'no item list, or a broken one';
  const type = types.get(primary) ?? 'nothing';
  if (!pictureTypes.has(type) || ![...types.values()].includes('av01')) return `the primary item is ${type}`;
  const size = readItemSize(file, parts, primary, type);
  return typeof size === 'string' ? size : { parts, primary, size };
}

type Table = ReturnType<typeof openTable>;

/** A full box (version, flags, fields) of limited size. Undefined unless there is exactly one. */
function readTable(file: FileBytes, boxes: Box[], type: string): Table | undefined {
  const box = findOnly(boxes, type);
  if (box === undefined || box.end - box.start > maxTableBytes) return undefined;
  const from = box.start + box.headerSize;
  return openTable(file.read(from, box.end - from));
}

/** A read past the end returns zero and sets `isOverrun`. */
function openTable(body: Buffer) {
  let at = 4;
  let isOverrun = false;
  function uint(bytes: number): number {
    at += bytes;
    isOverrun ||= at > body.length;
    if (isOverrun || bytes === 0) return 0;
    return bytes === 8 ? Number(body.readBigUInt64BE(at - 8)) : body.readUIntBE(at - bytes, bytes);
  }
  const skip = (bytes: number) => {
    at += bytes;
  };
  const text = (start: number, length: number) => body.toString('latin1', start, start + length);
  return {
    version: body[0] ?? 0,
    flags: body[3] ?? 0,
    uint,
    skip,
    text,
    isOverrun: () => isOverrun,
    length: body.length,
  };
}

function readItemTypes(file: FileBytes, iinf: Box | undefined): Map<number, string> | undefined {
  if (iinf === undefined) return undefined;
  const from = iinf.start + iinf.headerSize;
  const head = openTable(file.read(from, 8));
  const countBytes = head.version === 0 ? 2 : 4;
  const entries = walkBoxes(file, from + 4 + countBytes, iinf.end);
  if (entries === undefined || entries.length !== head.uint(countBytes)) return undefined;
  const types = new Map<number, string>();
  for (const { type, start, headerSize, end } of entries) {
    const from = start + headerSize;
    const length = Math.min(end - from, 14);
    const entry = openTable(file.read(from, length));
    const idBytes = entry.version === 2 ? 2 : 4;
    const id = entry.uint(idBytes);
    if (type !== 'infe' || entry.version < 2 || entry.length < idBytes + 10 || types.has(id)) return undefined;
    types.set(id, entry.text(idBytes + 6, 4));
  }
  return types;
}

function readItemSize(file: FileBytes, parts: Box[], item: number, type: string): Size | string {
  const iprp = findOnly(parts, 'iprp');
  const halves = iprp && walkBoxes(file, iprp.start + iprp.headerSize, iprp.end);
  const ipco = halves && findOnly(halves, 'ipco');
  const properties = ipco && walkBoxes(file, ipco.start + ipco.headerSize, ipco.end);
  const ipma = halves && readTable(file, halves, 'ipma');
  if (properties === undefined || ipma === undefined) return 'no item properties, or broken ones';
  const indexes = readAssociations(ipma, item, properties.length);
  if (indexes === undefined) return 'broken property associations';
  const own = indexes.map((index) => properties[index - 1]).filter((property) => property !== undefined);
  if (type === 'av01' && findOnly(own, 'av1C') === undefined) return 'no AV1 configuration';
  const ispe = readTable(file, own, 'ispe');
  if (ispe === undefined || ispe.length !== 12) return 'no size, or more than one';
  const [width, height] = [ispe.uint(4), ispe.uint(4)];
  return width > 0 && height > 0 ? { width, height } : 'no width or height';
}

/** The 1-based indexes of the item's properties. Undefined if any entry points outside the list. */
function readAssociations(ipma: Table, item: number, propertyCount: number): number[] | undefined {
  const isWide = (ipma.flags & 1) === 1;
  const own: number[] = [];
  const entries = ipma.uint(4);
  for (let entry = 0; entry < entries && !ipma.isOverrun(); entry++) {
    const id = ipma.uint(ipma.version === 0 ? 2 : 4);
    const count = ipma.uint(1);
    for (let at = 0; at < count; at++) {
      const index = isWide ? ipma.uint(2) & 0x7fff : ipma.uint(1) & 0x7f;
      if (index > propertyCount) return undefined;
      if (id === item) own.push(index);
    }
  }
  return ipma.isOverrun() ? undefined : own;
}

function checkLocations(file: FileBytes, { parts, primary }: Meta, boxes: Box[]): string | undefined {
  const iloc = readTable(file, parts, 'iloc');
  if (iloc === undefined || iloc.version > 2) return 'no item locations';
  const toSpan = ({ start, headerSize, end }: Box): Span => ({ start: start + headerSize, end });
  const places = [
    boxes.filter(({ type }) => type === 'mdat').map(toSpan),
    // Offsets into idat start at its first byte.
    [{ start: 0, end: longestData(parts) }],
  ];
  const located = readLocations(iloc, places);
  if (typeof located === 'string') return located;
  return located.has(primary) ? undefined : 'the primary item has no data';
}

function longestData(parts: Box[]): number {
  const lengths = parts
    .filter(({ type }) => type === 'idat')
    .map(({ start, headerSize, end }) => end - start - headerSize);
  return lengths.reduce((longest, length) => Math.max(longest, length), 0);
}

function readLocations(iloc: Table, places: Span[][]): Set<number> | string {
  const sizes = iloc.uint(2);
  const widths = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 15);
  if (widths.some((bytes) => bytes % 4 !== 0 || bytes > 8)) return 'wrong iloc';
  const [offsetBytes = 0, lengthBytes = 0, baseBytes = 0, last = 0] = widths;
  const indexBytes = iloc.version === 0 ? 0 : last;
  const idBytes = iloc.version === 2 ? 4 : 2;
  const items = iloc.uint(idBytes);
  const located = new Set<number>();
  for (let item = 0; item < items && !iloc.isOverrun(); item++) {
    const id = iloc.uint(idBytes);
    const place = places[iloc.version === 0 ? 0 : iloc.uint(2) & 15] ?? [];
    const isElsewhere = iloc.uint(2) !== 0;
    const base = iloc.uint(baseBytes);
    const extents = iloc.uint(2);
    if (isElsewhere || extents === 0 || located.has(id)) return `wrong location of item ${id}`;
    located.add(id);
    for (let extent = 0; extent < extents && !iloc.isOverrun(); extent++) {
      iloc.skip(indexBytes);
      const start = base + iloc.uint(offsetBytes);
      if (!isInside(start, start + iloc.uint(lengthBytes), place)) return `item ${id} is outside the data`;
    }
  }
  return iloc.isOverrun() ? 'item locations are truncated' : located;
}

/** Places are in file order and do not overlap. So only the last place that starts at or before `start` can contain the bytes. */
function isInside(start: number, end: number, places: Span[]): boolean {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return end > start && end <= (places[low - 1]?.end ?? 0);
}

/** A sequence also has tracks. The largest one sets the size, so a small picture cannot hide a large track. */
function addTracks(file: FileBytes, boxes: Box[], picture: Size): Size | string {
  const moov = findOnly(boxes, 'moov');
  if (moov === undefined) return picture;
  const parts = walkBoxes(file, moov.start + moov.headerSize, moov.end);
  if (parts === undefined || findOnly(parts, 'mvhd') === undefined) return 'broken moov';
  const tracks = parts.filter(({ type }) => type === 'trak');
  if (tracks.length === 0 || tracks.length > maxTopLevelBoxes) return `${tracks.length} tracks`;
  let { width, height } = picture;
  for (const track of tracks) {
    const inner = walkBoxes(file, track.start + track.headerSize, track.end);
    const tkhd = inner && readTable(file, inner, 'tkhd');
    if (tkhd === undefined || tkhd.length !== (tkhd.version === 1 ? 96 : 84)) return 'broken track';
    tkhd.skip(tkhd.length - 12);
    width = Math.max(width, tkhd.uint(4) >>> 16);
    height = Math.max(height, tkhd.uint(4) >>> 16);
  }
  return { width, height };
}
