// Builds PNG files chunk by chunk, with correct lengths and checksums.
import { crc32, deflateSync } from 'node:zlib';
import { hex, joined, u32be } from './media-files.ts';

/** Data as bytes or in hexadecimal. */
export type PngChunk = readonly [type: string, data?: Buffer | string];

export const pngSignature = hex('89504e470d0a1a0a');

export function chunk(type: string, data: Buffer | string = ''): Buffer {
  const bytes = typeof data === 'string' ? hex(data) : data;
  const body = joined(type, bytes);
  return joined(u32be(bytes.length), body, u32be(crc32(body)));
}

export function png(...chunks: PngChunk[]): Buffer {
  return Buffer.concat([pngSignature, ...chunks.map(([type, data]) => chunk(type, data))]);
}

type Header = { width?: number; height?: number; depth?: number; colour?: number; rest?: string };

/** `rest`: compression, filter and interlace. */
export function header({ width = 1, height = 1, depth = 8, colour = 0, rest = '000000' }: Header = {}): PngChunk {
  return ['IHDR', joined(u32be(width), u32be(height), [depth, colour], hex(rest))];
}

export const grey = header();
export const indexed = header({ colour: 3 });
export const pixels: PngChunk = ['IDAT', deflateSync(Buffer.alloc(128))];
export const end: PngChunk = ['IEND'];
export const text: PngChunk = ['tEXt', Buffer.from('a\0b')];

/** APNG: how many frames there are. */
export function announced(frames: number): PngChunk {
  return ['acTL', joined(u32be(frames), u32be(0))];
}

type Frame = { width?: number; height?: number; x?: number; y?: number };

/** APNG: the head of a frame. */
export function frame(sequence: number, { width = 1, height = 1, x = 0, y = 0 }: Frame = {}): PngChunk {
  return ['fcTL', joined(...[sequence, width, height, x, y].map(u32be), hex('000a03e80000'))];
}

/** APNG: the data of a frame. */
export function frameData(sequence: number, data = '7801'): PngChunk {
  return ['fdAT', joined(u32be(sequence), hex(data))];
}
