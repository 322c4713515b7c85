// Builds JPEG files segment by segment, and the index of the pictures behind the first.
import { hex, joined, type Part, u16be, u16le, u32be, u32le } from './media-files.ts';

export const soi = hex('ffd8');
export const eoi = hex('ffd9');

/** The start, the parts and the end. */
export function jpeg(...parts: Part[]): Buffer {
  return joined(soi, ...parts, eoi);
}

export function segment(marker: number, body: Part = ''): Buffer {
  return joined([0xff, marker], u16be(body.length + 2), body);
}

type Component = { id: number; sampling?: number; table?: number };
type Frame = { marker?: number; precision?: number; width?: number; height?: number; components?: Component[] };

export function frame({
  marker = 0xc0,
  precision = 8,
  width = 1,
  height = 1,
  components = [{ id: 1 }],
}: Frame = {}): Buffer {
  const rows = components.flatMap(({ id, sampling = 0x11, table = 0 }) => [id, sampling, table]);
  return segment(marker, joined([precision], u16be(height), u16be(width), [components.length], rows));
}

/** A table for each number. 0x10 and above are tables of 16-bit values. */
export function quantization(...heads: number[]): Buffer {
  return segment(0xdb, joined(...heads.flatMap((head) => [[head], Buffer.alloc(head < 16 ? 64 : 128, 1)])));
}

/** A table of one code for each number: 0x00 to 0x03 are DC tables, 0x10 to 0x13 are AC tables. */
export function huffman(...heads: number[]): Buffer {
  return segment(0xc4, joined(...heads.map((head) => huffmanTable(head, [1]))));
}

/** `counts`: how many codes there are of 1, 2, 3 … bits. */
export function huffmanTable(
  head: number,
  counts: number[],
  symbols = counts.reduce((sum, count) => sum + count, 0),
): Buffer {
  return joined([head], counts, Buffer.alloc(16 - counts.length), Buffer.alloc(symbols, 3));
}

type Scan = { components?: [id: number, tables: number][]; progress?: number[]; data?: Part };

export function scan({ components = [[1, 0]], progress = [0, 63, 0], data = [0] }: Scan = {}): Buffer {
  return joined(segment(0xda, joined([components.length], components.flat(), progress)), data);
}

export function restartInterval(value: number): Buffer {
  return segment(0xdd, u16be(value));
}

export const tables = joined(quantization(0), huffman(0x00, 0x10));
/** One grey pixel. */
export const plainJpeg = jpeg(tables, frame(), scan());

type Index = {
  isLittle?: boolean;
  /** Length and offset of each picture, the first being the main one. */
  pictures: [length: number, offset: number][];
  count?: number;
  directoryAt?: number;
  /** Further entries before the two that matter. */
  more?: number;
};

/** The body of an APP2 segment with an MPF index. Offsets count from its TIFF header, after the first four bytes. */
export function pictureIndex({
  isLittle = false,
  pictures,
  count = pictures.length,
  directoryAt = 8,
  more = 0,
}: Index): Buffer {
  const [u16, u32] = isLittle ? [u16le, u32le] : [u16be, u32be];
  const entry = (tag: number, type: number, values: number, value: number) =>
    joined(u16(tag), u16(type), u32(values), u32(value));
  const tableAt = directoryAt + 2 + 12 * (2 + more) + 4;
  const entries = [
    ...Array<Buffer>(more).fill(entry(0xb000, 7, 4, 0x30313030)),
    entry(0xb001, 4, 1, count),
    entry(0xb002, 7, 16 * pictures.length, tableAt),
  ];
  const rows = pictures.map(([length, offset]) => joined(u32(0), u32(length), u32(offset), u32(0)));
  const head = joined(isLittle ? 'II' : 'MM', u16(42), u32(directoryAt), Buffer.alloc(directoryAt - 8));
  return joined('MPF\0', head, u16(entries.length), ...entries, u32(0), ...rows);
}

/** The first picture with an index of all of them, and the others behind it. `error` moves what the index says. */
export function withPictures(first: Buffer, others: readonly Buffer[], error = 0): Buffer {
  const indexBytes = pictureIndex({ pictures: [first, ...others].map(() => [0, 0]) }).length;
  // The index is the first segment. Its TIFF header is behind SOI, marker, length and the mark of four bytes.
  const base = 2 + 4 + 4;
  let at = first.length + 4 + indexBytes - base + error;
  const pictures = others.map((other): [number, number] => {
    at += other.length;
    return [other.length, at - other.length];
  });
  const index = segment(0xe2, pictureIndex({ pictures: [[0, 0], ...pictures] }));
  return joined(first.subarray(0, 2), index, first.subarray(2), ...others);
}
