// Builds WebP files chunk by chunk.
import { hex, joined, u16le, u24le, u32le } from './media-files.ts';

export type WebpChunk = readonly [type: string, data: Buffer];

export function riffChunk(type: string, data: Buffer): Buffer {
  return joined(type, u32le(data.length), data, Buffer.alloc(data.length % 2));
}

export function webp(...chunks: WebpChunk[]): Buffer {
  return riffChunk('RIFF', joined('WEBP', ...chunks.map((chunk) => riffChunk(...chunk))));
}

/** The same file with the RIFF size that it should have. */
export function sized(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(bytes.length - 8, 4);
  return copy;
}

export const flags = { animation: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10, profile: 0x20 };

export function extended(width: number, height: number, marks = 0): WebpChunk {
  return ['VP8X', joined([marks, 0, 0, 0], u24le(width - 1), u24le(height - 1))];
}

/** `version` is 0 in every known file. */
export function lossless(width: number, height: number, { version = 0, mark = 0x2f } = {}): WebpChunk {
  return ['VP8L', joined([mark], u32le((width - 1) | ((height - 1) << 14) | (version << 29)), [0, 0, 0])];
}

type Lossy = { isKeyFrame?: boolean; version?: number; isShown?: boolean; partition?: number; startCode?: string };

/** `partition`: how long the first part of the data is. Four bytes are there. */
export function lossy(
  width: number,
  height: number,
  { isKeyFrame = true, version = 0, isShown = true, partition = 4, startCode = '9d012a' }: Lossy = {},
): WebpChunk {
  const tag = (isKeyFrame ? 0 : 1) | (version << 1) | (isShown ? 16 : 0) | (partition << 5);
  return ['VP8 ', joined(u24le(tag), hex(startCode), u16le(width), u16le(height), Buffer.alloc(4))];
}

export const animation: WebpChunk = ['ANIM', Buffer.alloc(6)];

type Frame = { x?: number; y?: number; width?: number; height?: number };

export function frame({ x = 0, y = 0, width = 2, height = 2 }: Frame, ...parts: WebpChunk[]): WebpChunk {
  const numbers = [x / 2, y / 2, width - 1, height - 1, 100].map(u24le);
  return ['ANMF', joined(...numbers, [0], ...parts.map((part) => riffChunk(...part)))];
}
