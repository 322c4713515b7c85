// Checks pictures appended to a JPEG: phones add depth and gain maps after EOI and list them in an MPF index (CIPA DC-007).
import type { FileBytes, Prover } from '../media-type.ts';

const app2 = 0xe2;
const countTag = 0xb001;
const entriesTag = 0xb002;
const entryBytes = 16;
const maxPictures = 16;
const tagBytes = 12;
/** A header, a count of two, the two tags, and the rows of two pictures. */
const smallestIndex = 8 + 2 + 2 * tagBytes + 2 * entryBytes;

type Segment = { readonly marker: number; readonly bodyStart: number; readonly bodyEnd: number };

type Extent = { readonly start: number; readonly end: number };

/** True if the index lists exactly the pictures that follow, up to the end of the file, and each picture is proved. */
export function isMultiPicture(file: FileBytes, segments: readonly Segment[], end: number, prove: Prover): boolean {
  const extents = readExtents(file, segments);
  if (extents === undefined) return false;
  let position = end;
  for (const extent of extents) {
    if (extent.start !== position || extent.end > file.size) return false;
    const proof = prove(slice(file, extent));
    if (proof?.kind !== 'proved') return false;
    position = extent.end;
  }
  return position === file.size;
}

function readExtents(file: FileBytes, segments: readonly Segment[]): Extent[] | undefined {
  for (const { marker, bodyStart, bodyEnd } of segments) {
    if (marker !== app2) continue;
    const body = file.read(bodyStart, bodyEnd - bodyStart);
    if (body.toString('latin1', 0, 4) === 'MPF\0') return parseIndex(body.subarray(4), bodyStart + 4);
  }
  return undefined;
}

/** Offsets are relative to the TIFF header of the index. The first entry is the main picture itself. */
function parseIndex(tiff: Buffer, base: number): Extent[] | undefined {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < smallestIndex || (order !== 'II' && order !== 'MM')) return undefined;
  const uint16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const uint32 = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = uint32(4);
  if (directory + 2 + 2 * tagBytes > tiff.length) return undefined;
  const tagValue = (tag: number): number | undefined => {
    for (let index = 0; index < uint16(directory); index++) {
      const entry = directory + 2 + tagBytes * index;
      if (entry + tagBytes > tiff.length) return undefined;
      if (uint16(entry) === tag) return uint32(entry + 8);
    }
    return undefined;
  };
  const count = tagValue(countTag) ?? 0;
  const table = tagValue(entriesTag) ?? tiff.length;
  if (count > maxPictures || table + count * entryBytes > tiff.length) return undefined;
  return Array.from({ length: count - 1 }, (_, index) => {
    const entry = table + (index + 1) * entryBytes;
    const start = base + uint32(entry + 8);
    return { start, end: start + uint32(entry + 4) };
  }).sort((one, other) => one.start - other.start);
}

function slice(file: FileBytes, { start, end }: Extent): FileBytes {
  const size = end - start;
  return {
    size,
    read: (position, length) => file.read(start + position, Math.max(0, Math.min(length, size - position))),
  };
}
