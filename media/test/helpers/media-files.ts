// Files under proof: the fixtures, a reader over memory with the rules of a real one, and ways to join and damage bytes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type FileBytes, type MediaType, mediaTypes } from '../../src/media-type.ts';

type Fixture = { name: string; type: MediaType; bytes: Buffer };

/** Bytes, or a text in latin1. */
export type Part = Buffer | string | readonly number[];

const files = new URL('../fixtures/files/', import.meta.url);
const pictureFiles = new URL('../fixtures/pictures/', import.meta.url);
const maxReadBytes = 1024 * 1024;

/** Documents, audio and video, each written by a real program. */
export function fixtures(): Fixture[] {
  return readFixtures(files);
}

/** Pictures of 24 by 16, each written by a real encoder. */
export function pictures(): Fixture[] {
  return readFixtures(pictureFiles);
}

export function fixture(name: string): Buffer {
  return readFileSync(new URL(name, files));
}

export function picture(name: string): Buffer {
  return readFileSync(new URL(name, pictureFiles));
}

function readFixtures(folder: URL): Fixture[] {
  return readdirSync(folder).flatMap((name) => {
    const type = typeOf(name);
    return type === undefined ? [] : [{ name, type, bytes: readFileSync(new URL(name, folder)) }];
  });
}

function typeOf(name: string): MediaType | undefined {
  const entries = Object.entries(mediaTypes) as [MediaType, { extensions: readonly string[] }][];
  return entries.find(([, { extensions }]) => extensions.includes(extname(name).slice(1)))?.[0];
}

/** Returns copies, so that a prover that keeps the whole file is noticed. */
export function inMemory(bytes: Buffer): FileBytes {
  return {
    size: bytes.length,
    read(position, length) {
      if (!Number.isSafeInteger(position) || position < 0) assert.fail(`read at ${position}`);
      if (!Number.isSafeInteger(length) || length < 0) assert.fail(`read of ${length} bytes`);
      if (length > maxReadBytes) assert.fail(`read of ${length} bytes at once`);
      return Buffer.from(bytes.subarray(position, position + length));
    },
  };
}

/** Without copies, for a file of very many parts. */
export function uncopied(bytes: Buffer): FileBytes {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) };
}

/** The same bytes with some overwritten at one place. */
export function patched(bytes: Buffer, at: number, change: Part): Buffer {
  const patch = joined(change);
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

export function joined(...parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

export function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}

export function u16le(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u16be(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u24le(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
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

export function u64le(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export function u64be(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
