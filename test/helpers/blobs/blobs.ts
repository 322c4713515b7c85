// Writes bytes into a blob store and reads them, for all tests of blobs.

import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after } from 'node:test';
import { createHeldSpool, type HeldSpool } from '../../../src/files/spool/held-spool.ts';
import type { Spool } from '../../../src/files/spool/spool.ts';
import type { BlobName, BlobStore } from '../../../src/files/storage/blob-store.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import { Failure, type FailureCode } from '../../../src/kernel/failure.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { type ProviderUrl, parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

export async function spoolOf(blobs: BlobStore, bytes: Buffer, chunkBytes = 64 * 1024): Promise<Spool> {
  const spool = await blobs.spool();
  for (let at = 0; at < bytes.length; at += chunkBytes) await spool.write(bytes.subarray(at, at + chunkBytes));
  return spool;
}

/** As an upload does: up to 1 MiB stays in memory. */
export async function holdBytes(blobs: BlobStore, bytes: Buffer): Promise<HeldSpool> {
  const held = createHeldSpool(() => blobs.spool(), { inTime: (writing) => writing });
  for (let at = 0; at < bytes.length; at += 64 * 1024) await held.write(bytes.subarray(at, at + 64 * 1024));
  await held.finish();
  return held;
}

/** As an upload does: spool, keep, discard the spool. */
export async function keepBytes(blobs: BlobStore, bytes: Buffer, id: FileId = newFileId()): Promise<FileId> {
  const spool = await spoolOf(blobs, bytes);
  try {
    await blobs.keep(spool, id, hexSha256(bytes));
    return id;
  } finally {
    await spool.discard();
  }
}

export function hexSha256(bytes: Buffer): string {
  return hash('sha256', bytes);
}

export async function readBytes(
  blobs: BlobStore,
  id: BlobName,
  start: number,
  end: number,
  size: number,
): Promise<Buffer> {
  const stream = await blobs.read(id, { start, end }, size);
  return Buffer.concat(await stream.toArray());
}

/** Undefined if the store has no pump. The buffers are reused, so each chunk is copied at once. */
export async function pumpBytes(
  blobs: BlobStore,
  id: BlobName,
  start: number,
  end: number,
  size: number,
): Promise<Buffer | undefined> {
  const pump = await blobs.pump?.(id, { start, end }, size);
  if (pump === undefined) return undefined;
  const chunks: Buffer[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    chunks.push(Buffer.from(chunk));
    setImmediate(done);
  };
  await pump(new Writable({ write }));
  return Buffer.concat(chunks);
}

export function readWhole(blobs: BlobStore, id: BlobName, size: number): Promise<Buffer> {
  return readBytes(blobs, id, 0, size - 1, size);
}

export async function listIds(blobs: BlobStore): Promise<FileId[]> {
  const ids: FileId[] = [];
  for await (const { id } of blobs.list()) ids.push(id);
  return ids.toSorted();
}

export async function spoolsIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** The error of the work. Its reason is for the log and names no secret. */
export async function failsWith(code: FailureCode, work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => assert.fail(`no ${code}: it went well`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Failure, `${code} was expected, not ${error}`);
  assert.equal(error.code, code, String(error.cause));
  if (error.code === 'STORAGE_UNAVAILABLE') assert.equal(error.detail.retryAfterSeconds, 5);
  return error.cause instanceof Error ? error.cause.message : '';
}

export function someBytes(size: number): Buffer {
  return randomBytes(size);
}

/** Makes the blobs and spool files in the folder of a disk storage so old that none belongs to a running upload. */
export function makeOld(root: string): void {
  const old = new Date(Date.now() - 3_600_000);
  // The folder does not exist before the first upload.
  const found = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  for (const entry of found) if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), old, old);
}

/** A folder for the tests of one block, removed after it. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-blobs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function providerUrl(text: string): ProviderUrl {
  const url = parseProviderUrl(text, 'host');
  assert.ok(url, 'no storage URL');
  return url;
}
