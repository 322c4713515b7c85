// Unpacks the pixels of a PNG: a zlib stream that is whole, has the right checksum and is long enough.
import { inflateSync } from 'node:zlib';
import type { FileBytes } from '../../media-type.ts';

export type PngHeader = {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
  readonly isInterlaced: boolean;
};

/** Where a chunk has its data. */
type ChunkData = { readonly dataStart: number; readonly length: number };

/**
 * A screen of 4K with transparency. The pixels of larger pictures are not unpacked: that takes memory, and every chunk has a
 * checksum of its own.
 */
const maxBytes = 40_000_000;
/** What may follow the last row, as image libraries allow with a warning. */
const surplusBytes = 65_536;
const pieceBytes = 65_536;
/** Samples of a pixel by colour type. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The seven passes of an interlaced picture: the first column and row of each, and the steps between them. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function pixelsDefect(file: FileBytes, data: readonly ChunkData[], header: PngHeader): string | undefined {
  const expected = unpackedBytes(header);
  const packedBytes = data.reduce((sum, { length }) => sum + length, 0);
  if (Math.max(expected, packedBytes) > maxBytes) return undefined;
  const pixels = unpack(Buffer.concat(readPieces(file, data), packedBytes), expected + surplusBytes);
  if (pixels === undefined) return 'image data does not unpack';
  return pixels < expected ? 'too few pixels' : undefined;
}

/** Every row begins with a byte for its filter. A pass without columns has no rows. */
function unpackedBytes({ width, height, depth, colour, isInterlaced }: PngHeader): number {
  const bits = depth * (samples[colour] ?? 0);
  const bytesOf = (columns: number, rows: number): number =>
    columns <= 0 || rows <= 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8));
  if (!isInterlaced) return bytesOf(width, height);
  return passes.reduce(
    (sum, [x, y, xStep, yStep]) => sum + bytesOf(Math.ceil((width - x) / xStep), Math.ceil((height - y) / yStep)),
    0,
  );
}

function readPieces(file: FileBytes, data: readonly ChunkData[]): Buffer[] {
  return data.flatMap(({ dataStart, length }) =>
    Array.from({ length: Math.ceil(length / pieceBytes) }, (_, index) =>
      file.read(dataStart + index * pieceBytes, Math.min(pieceBytes, length - index * pieceBytes)),
    ),
  );
}

/** How many bytes it unpacks to. Undefined if the stream is broken, cut, has a wrong checksum or is longer than `most`. */
function unpack(packed: Buffer, most: number): number | undefined {
  try {
    // One piece of output, so that it is not copied.
    return inflateSync(packed, { maxOutputLength: most, chunkSize: most + 1 }).length;
  } catch {
    return undefined;
  }
}
