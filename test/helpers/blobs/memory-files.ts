// Records and blobs in memory, for unit tests of the use cases of files. They note every call that changes something.

import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SharingStore } from '../../../src/files/sharing/file-link.ts';
import type { Spool } from '../../../src/files/spool/spool.ts';
import type { BlobStore, ListedBlob } from '../../../src/files/storage/blob-store.ts';
import type { FileStore, StoredFile } from '../../../src/files/stored-file.ts';
import type { RemovalId, RemovalQueue } from '../../../src/files/sweeps/removal-queue.ts';
import { isVisible } from '../../../src/files/trash/trash-rules.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import type { Log } from '../../../src/kernel/process/telemetry.ts';
import { asFileId } from '../people/ids.ts';
import { makeFile } from '../uploads/stored-file.ts';
import { memoryParts } from './memory-parts.ts';

/** Far from the machine's own time, so that only the given time can decide. */
export const noon = Date.UTC(2031, 4, 5, 12);
export const clock = { now: () => noon };

export function fileId(number: number): FileId {
  return asFileId(`fil_${String(number).padStart(22, '0')}`);
}

/** The record of this content. */
export function recordOf(id: string, content: string, changes: Partial<StoredFile> = {}): StoredFile {
  return makeFile({ id: asFileId(id), size: Buffer.byteLength(content), sha256: hash('sha256', content), ...changes });
}

export function unavailable(): Failure {
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
}

export type MemoryBlobs = BlobStore & {
  /** By id and name: `fil_…/320x320-1.webp`. */
  readonly variants: Map<string, Buffer>;
  readonly contents: Map<string, { bytes: Buffer; modifiedAt: number }>;
  readonly calls: string[];
  mark: string | undefined;
};

/** `contents` are old: none belongs to an upload in progress. */
export function memoryBlobs(contents: Readonly<Record<string, string>> = {}, changes: Partial<BlobStore> = {}) {
  const kept = new Map<string, { bytes: Buffer; modifiedAt: number }>();
  for (const [id, content] of Object.entries(contents)) kept.set(id, { bytes: Buffer.from(content), modifiedAt: 0 });
  const calls: string[] = [];
  const variants = new Map<string, Buffer>();
  const store: MemoryBlobs = {
    kind: 'disk',
    parts: memoryParts(calls, () => memorySpool(calls)),
    variants,
    contents: kept,
    calls,
    mark: undefined,
    spool: async () => memorySpool(calls),
    keep: async (spool, id, sha256) => {
      calls.push(`keep ${id}`);
      const bytes = await spool.reader.read(0, spool.size);
      if (hash('sha256', bytes) !== sha256) throw new Error('the hash is of other bytes');
      kept.set(id, { bytes, modifiedAt: noon });
    },
    read: async (id, { start, end }, size) => {
      const found = kept.get(id);
      if (found === undefined || found.bytes.length !== size) throw unavailable();
      return Readable.from([found.bytes.subarray(start, end + 1)], { objectMode: false });
    },
    remove: async (id) => {
      calls.push(`remove ${id}`);
      kept.delete(id);
      for (const name of variants.keys()) if (name.startsWith(`${id}/`)) variants.delete(name);
    },
    openLocally: async (id) => ({
      path: `/blobs/${id}`,
      release: async () => {
        calls.push(`release ${id}`);
      },
    }),
    readVariant: async (id, name) => variants.get(`${id}/${name}`),
    keepVariant: async (id, name, bytes) => {
      calls.push(`keep variant ${id}/${name}`);
      variants.set(`${id}/${name}`, bytes);
    },
    list: ({ after = '' } = {}) => listed(kept, after),
    readMark: async () => store.mark,
    writeMark: async (mark) => {
      calls.push(`mark ${mark}`);
      store.mark = mark;
    },
    sweepSpools: async () => 0,
    ping: async () => {
      calls.push('ping');
    },
    ...changes,
  };
  return store;
}

async function* listed(kept: MemoryBlobs['contents'], after: string): AsyncIterable<ListedBlob> {
  for (const id of [...kept.keys()].toSorted()) {
    const blob = kept.get(id);
    if (blob !== undefined && id > after)
      yield { id: asFileId(id), size: blob.bytes.length, modifiedAt: blob.modifiedAt };
  }
}

/** Notes when it is discarded. */
export function memorySpool(calls: string[] = [], changes: Partial<Spool> = {}): Spool {
  let bytes = Buffer.alloc(0);
  return {
    path: '/spool',
    get size() {
      return bytes.length;
    },
    write: async (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
    },
    replace: async () => undefined,
    reader: {
      get size() {
        return bytes.length;
      },
      read: async (position, length) => bytes.subarray(position, position + length),
    },
    discard: async () => {
      calls.push('discard');
    },
    ...changes,
  };
}

/** Reads and deletes records. Any other call fails, unless `changes` has it. */
export function memoryFiles(records: readonly StoredFile[] = [], changes: Partial<FileStore> = {}): FileStore {
  const kept = new Map<string, StoredFile>(records.map((record) => [record.id, record]));
  const files: Partial<FileStore> = {
    findFile: async ({ id, now }) => [kept.get(id)].find((file) => file !== undefined && isVisible(file, now)),
    findRecord: async (id) => kept.get(id),
    listAll: async ({ after, most }) =>
      [...kept.values()]
        .filter(({ id }) => id > after)
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .slice(0, most),
    ...changes,
  };
  return files as FileStore;
}

/** Finds records, and who reads them. Any other call fails, unless `changes` has it. */
export function memorySharing(
  records: readonly StoredFile[] = [],
  readers: readonly { readonly fileId: string; readonly userId: string }[] = [],
  changes: Partial<SharingStore> = {},
): SharingStore {
  const sharing: Partial<SharingStore> = {
    findFor: async ({ id, userId, now }) => {
      const file = records.find((record) => record.id === id && isVisible(record, now));
      const isNamed = readers.some((reader) => reader.fileId === id && reader.userId === userId);
      return file && { file, isNamed };
    },
    ...changes,
  };
  return sharing as SharingStore;
}

/** A log that keeps its lines. */
export function memoryLog() {
  const lines: unknown[][] = [];
  const at = (level: string) => (event: string, facts?: object) => void lines.push([level, event, facts]);
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { log, lines };
}

/** The queue of removals in memory. Notes what it was told. */
export function memoryRemovals(due: readonly RemovalId[] = []) {
  const noted: ['note' | 'end', readonly RemovalId[]][] = [];
  let left = [...due];
  const removals: RemovalQueue = {
    note: async ({ ids }) => void noted.push(['note', ids]),
    isDue: async () => left.length > 0,
    take: async ({ most }) => {
      const taken = left.slice(0, most);
      left = left.slice(most);
      return taken;
    },
    end: async ({ ids }) => void noted.push(['end', ids]),
  };
  return { removals, noted };
}
