// Edits that make broken pictures out of valid ones.
import type { MediaType } from '../../../src/media/media-type.ts';
import type { ValidImage } from './valid-images.ts';

/** Name, bytes, and the size if the picture is only large. */
export type Case = readonly [name: string, bytes: Buffer, size?: { width: number; height: number }];

export function find(valid: ValidImage[], type: MediaType, name: string): Buffer {
  const found = valid.find((image) => image.type === type && image.name === name);
  if (found === undefined) throw new Error(`No valid image ${type} ${name}`);
  return found.bytes;
}

/** Replaces `count` bytes at `at` by others. Lengths and checksums are not corrected. */
export function replace(bytes: Buffer, at: number, count: number, by: Buffer | string = ''): Buffer {
  const inserted = typeof by === 'string' ? Buffer.from(by, 'hex') : by;
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + count)]);
}

export function overwrite(bytes: Buffer, at: number, hex: string): Buffer {
  return replace(bytes, at, hex.length / 2, hex);
}

export function times(count: number, bytes: Buffer): Buffer {
  return Buffer.alloc(count * bytes.length, bytes);
}

/** A segment of a JPEG, with its length. */
export function segment(marker: number, text: string): Buffer {
  const body = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}
