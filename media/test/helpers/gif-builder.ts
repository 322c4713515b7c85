// Builds GIF files block by block.
import { hex, joined, type Part, u16le } from './media-files.ts';

export const trailer = hex('3b');
export const pixel = frame();
export const comment = extension(0xfe, 'ab');
export const control = extension(0xf9, [0, 10, 0, 0]);
export const loop = extension(0xff, 'NETSCAPE2.0', [1, 0, 0]);

/** A screen of 1 by 1, the blocks and the trailer. */
export function gif(...blocks: Buffer[]): Buffer {
  return Buffer.concat([screen(1, 1), ...blocks, trailer]);
}

/** With a global table of two colours, or of 2^(n + 1). */
export function screen(width: number, height: number, table: number | 'none' = 0): Buffer {
  const colours = table === 'none' ? Buffer.alloc(0) : Buffer.alloc(3 * 2 ** (table + 1), 0xee);
  const flags = table === 'none' ? 0 : 0x80 + table;
  return joined('GIF89a', u16le(width), u16le(height), [flags, 0, 0], colours);
}

type Frame = { x?: number; y?: number; width?: number; height?: number; table?: number; codeSize?: number };

/** One frame of one sub-block, or of other data. `table`: with a local table of 2^(n + 1) colours. */
export function frame(
  { x = 0, y = 0, width = 1, height = 1, table, codeSize = 2 }: Frame = {},
  data: Part = subBlocks([0x44, 1]),
): Buffer {
  const colours = table === undefined ? Buffer.alloc(0) : Buffer.alloc(3 * 2 ** (table + 1), 0xee);
  const flags = table === undefined ? 0 : 0x80 + table;
  return joined([0x2c], ...[x, y, width, height].map(u16le), [flags], colours, [codeSize], data);
}

export function extension(label: number, ...blocks: Part[]): Buffer {
  return joined([0x21, label], subBlocks(...blocks));
}

/** Each with its length, and the end of the chain. */
export function subBlocks(...blocks: Part[]): Buffer {
  return joined(...blocks.flatMap((block) => [[block.length], block]), [0]);
}
