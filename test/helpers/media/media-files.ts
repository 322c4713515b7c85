// Files under proof: the fixtures, a reader over memory with the rules of a real one, and ways to damage bytes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type FileBytes, type MediaType, mediaTypes } from '../../../src/media/media-type.ts';

export type Fixture = { name: string; type: MediaType; bytes: Buffer };

const folder = new URL('../../fixtures/files/', import.meta.url);
const maxReadBytes = 1024 * 1024;

/** Documents, audio and video. Pictures have their own tests. */
export function fixtures(): Fixture[] {
  return readdirSync(folder).flatMap((name) => {
    const type = typeOf(name);
    return type === undefined ? [] : [{ name, type, bytes: fixture(name) }];
  });
}

export function fixture(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

function typeOf(name: string): MediaType | undefined {
  const entries = Object.entries(mediaTypes) as [MediaType, { extensions: readonly string[]; family: string }][];
  const found = entries.find(([, { extensions }]) => extensions.includes(extname(name).slice(1)));
  return found?.[1].family === 'image' ? undefined : found?.[0];
}

/** Returns copies, so that a prover that keeps the whole file is noticed. */
export function inMemory(bytes: Buffer): FileBytes {
  return {
    size: bytes.length,
    read(position, length) {
      assert.ok(Number.isSafeInteger(position) && position >= 0, `read at ${position}`);
      assert.ok(length <= maxReadBytes, `read of ${length} bytes at once`);
      return Buffer.from(bytes.subarray(position, position + length));
    },
  };
}

/** The same bytes with some overwritten at one place. */
export function patched(bytes: Buffer, at: number, change: Buffer | string | number[]): Buffer {
  const patch = typeof change === 'string' ? Buffer.from(change, 'latin1') : Buffer.from(change);
  assert.ok(at >= 0 && at + patch.length <= bytes.length, `patch at ${at}`);
  return Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at + patch.length)]);
}

/** The first occurrence of a text replaced by another, of any length. */
export function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const text = bytes.toString('latin1');
  assert.ok(text.includes(from), `no ${from}`);
  return Buffer.from(
    text.replace(from, () => to),
    'latin1',
  );
}

export function joined(...parts: (Buffer | string | number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

export function u16le(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function u32be(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
