// Reads the sample table of an MP4 track: counts that fit their boxes, total bytes, and chunk offsets.
import type { FileBytes } from '../../media-type.ts';
import { type Box, readContent, walkBoxes } from '../iso-boxes.ts';

type Samples = {
  readonly sampleBytes: number;
  readonly firstChunk: number;
  readonly lastChunk: number;
  readonly size: { width: number; height: number } | undefined;
};

const rowsAtOnce = 4_096;
const tableRowBytes: Record<string, number> = { stts: 8, ctts: 8, stsc: 12, stss: 4, stco: 4, co64: 8 };

/** A string describes the defect. */
export function readSampleTable(file: FileBytes, table: Box, isVideo: boolean): Samples | string {
  const boxes = walkBoxes(file, table.start + table.headerSize, table.end);
  if (boxes === undefined) return 'boxes do not fill the sample table';
  const find = (...types: string[]): Box | undefined => {
    const found = boxes.filter(({ type }) => types.includes(type));
    return found.length === 1 ? found[0] : undefined;
  };
  const [descriptions, sizes, chunks] = [find('stsd'), find('stsz', 'stz2'), find('stco', 'co64')];
  if (descriptions === undefined || sizes === undefined || chunks === undefined) return 'an incomplete sample table';
  if (find('stts') === undefined || find('stsc') === undefined) return 'an incomplete sample table';
  for (const box of boxes) {
    const rowBytes = tableRowBytes[box.type];
    if (rowBytes !== undefined && !isCountValid(file, box, rowBytes)) return 'a table longer than its box';
  }
  const size = readDescriptions(file, descriptions, isVideo);
  const sampleBytes = sizes.type === 'stsz' ? sumSizes(file, sizes) : checkCompactSizes(file, sizes);
  if (typeof size === 'string') return size;
  if (sampleBytes === undefined) return 'a table longer than its box';
  return { ...chunkBounds(file, chunks), sampleBytes, size };
}

function isCountValid(file: FileBytes, box: Box, rowBytes: number): boolean {
  const head = readContent(file, box, 8);
  return head.length === 8 && head.readUInt32BE(4) * rowBytes <= box.end - box.start - box.headerSize - 8;
}

function readDescriptions(file: FileBytes, box: Box, isVideo: boolean): Samples['size'] | string {
  const entries = walkBoxes(file, box.start + box.headerSize + 8, box.end);
  const head = readContent(file, box, 8);
  const first = entries?.[0];
  if (entries === undefined || head.length < 8) return 'boxes do not fill the descriptions';
  if (first === undefined || head.readUInt32BE(4) !== entries.length) return 'wrong number of descriptions';
  if (!isVideo) return undefined;
  const picture = readContent(file, first, 28);
  if (first.end - first.start < 86) return 'a picture description is truncated';
  return { width: picture.readUInt16BE(24), height: picture.readUInt16BE(26) };
}

function sumSizes(file: FileBytes, box: Box): number | undefined {
  const start = box.start + box.headerSize;
  const head = readContent(file, box, 12);
  if (head.length < 12) return undefined;
  const count = head.readUInt32BE(8);
  const each = head.readUInt32BE(4);
  if (each !== 0) return each * count;
  if (count * 4 > box.end - start - 12) return undefined;
  let sum = 0;
  readRows(file, start + 12, count, 4, (size) => {
    sum += size;
  });
  return sum;
}

/** Sizes of 4, 8 or 16 bits are rare. This checks only that they fit their box. */
function checkCompactSizes(file: FileBytes, box: Box): number | undefined {
  const head = readContent(file, box, 12);
  if (head.length < 12 || ![4, 8, 16].includes(head.readUInt8(7))) return undefined;
  return Math.ceil((head.readUInt32BE(8) * head.readUInt8(7)) / 8) <= box.end - box.start - box.headerSize - 12
    ? 0
    : undefined;
}

function chunkBounds(file: FileBytes, box: Box): { firstChunk: number; lastChunk: number } {
  const start = box.start + box.headerSize;
  const count = file.read(start + 4, 4).readUInt32BE(0);
  const bounds = { firstChunk: Number.MAX_SAFE_INTEGER, lastChunk: -1 };
  readRows(file, start + 8, count, box.type === 'stco' ? 4 : 8, (offset) => {
    bounds.firstChunk = Math.min(bounds.firstChunk, offset);
    bounds.lastChunk = Math.max(bounds.lastChunk, offset);
  });
  return bounds;
}

function readRows(file: FileBytes, start: number, count: number, rowBytes: 4 | 8, take: (value: number) => void): void {
  for (let row = 0; row < count; row += rowsAtOnce) {
    const rows = file.read(start + row * rowBytes, Math.min(rowsAtOnce, count - row) * rowBytes);
    for (let at = 0; at < rows.length; at += rowBytes) {
      take(rowBytes === 4 ? rows.readUInt32BE(at) : Number(rows.readBigUInt64BE(at)));
    }
  }
}
