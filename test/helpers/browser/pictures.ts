// Small generated pictures for tests.
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [number, number, number];

const evening: readonly [Colour, Colour] = [
  [255, 205, 130],
  [96, 64, 168],
];
export const morning: readonly [Colour, Colour] = [
  [150, 220, 235],
  [20, 110, 130],
];

/** A PNG of that size with a colour gradient. */
export function pngOf(width: number, height: number, [from, to] = evening): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const part = (x + 2 * y) / (width + 2 * height);
      const colour = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part));
      rows.set(colour, y * (1 + width * 3) + 1 + x * 3);
    }
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
