// Finds pictures inside pictures: a picture after the end of a JPEG that an MPF index lists (CIPA DC-007) and that has an index itself.
import type { FileBytes } from '../../media-type.ts';
import type { JpegSegment } from './jpeg-segments.ts';

const app0 = 0xe0;
const app2 = 0xe2;
const app15 = 0xef;
const mark = 'MPF\0';
const countTag = 0xb001;
const entriesTag = 0xb002;
const entryBytes = 16;
const tagBytes = 12;
const headerBytes = 8;
/** Nothing after the end is stored, so these bounds limit the cost, not what is accepted. */
const maxPictures = 16;
const maxSegments = 16;

/** Cameras give the further pictures only attributes. The first picture alone has the index of all. */
export function hasNestedIndex(file: FileBytes, segments: readonly JpegSegment[]): boolean {
  const main = segments.find(
    ({ marker, bodyStart }) => marker === app2 && file.read(bodyStart, mark.length).toString('latin1') === mark,
  );
  if (main === undefined) return false;
  const base = main.bodyStart + mark.length;
  const end = segments.at(-1)?.end ?? file.size;
  const offsets = readIndex(file.read(base, Math.max(0, main.bodyEnd - base))) ?? [];
  return offsets.some((offset) => base + offset >= end && startsWithIndex(file, base + offset));
}

/** Looks only at the application segments at the start of a picture, where an index must be. */
function startsWithIndex(file: FileBytes, start: number): boolean {
  if (file.read(start, 2).toString('hex') !== 'ffd8') return false;
  let position = start + 2;
  for (let count = 0; count < maxSegments; count++) {
    const head = file.read(position, 4 + mark.length);
    const marker = head[1] ?? 0;
    if (head.length < 4 + mark.length || head[0] !== 0xff || marker < app0 || marker > app15) return false;
    const end = position + 2 + head.readUInt16BE(2);
    const bodyStart = position + head.length;
    if (marker === app2 && head.toString('latin1', 4) === mark)
      return readIndex(file.read(bodyStart, Math.max(0, end - bodyStart))) !== undefined;
    position = end;
  }
  return false;
}

/** The offsets of the listed pictures, from the TIFF header. Undefined if it is no index: attributes of one picture, or broken. */
function readIndex(tiff: Buffer): number[] | undefined {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < headerBytes || (order !== 'II' && order !== 'MM')) return undefined;
  const uint16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const uint32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = uint32(4);
  const tags = directory + 2 > tiff.length ? 0 : uint16(directory);
  const values = new Map<number, number>();
  for (let index = 0; index < tags; index++) {
    const entry = directory + 2 + tagBytes * index;
    if (entry + tagBytes > tiff.length) break;
    values.set(uint16(entry), uint32(entry + 8));
  }
  const table = values.get(entriesTag);
  if (table === undefined) return undefined;
  const count = Math.min(values.get(countTag) ?? 0, maxPictures, Math.floor((tiff.length - table) / entryBytes));
  return Array.from({ length: Math.max(0, count) }, (_, index) => uint32(table + index * entryBytes + 8));
}
