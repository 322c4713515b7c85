// A small backup in a temporary folder, and a storage in memory, for the unit tests of backup and restore.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before } from 'node:test';
import { databasePath, fileListPath, writeLines } from '../../../src/backup/backup-folder.ts';
import { type Manifest, writeManifest } from '../../../src/backup/manifest.ts';
import type { BackupSchema, Page, TableShape } from '../../../src/backup/snapshot.ts';
import { writePages } from '../../../src/backup/table-rows.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import type { BlobInfo } from '../../../src/files/storage/copy-blob.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { memoryParts } from '../../helpers/blobs/memory-parts.ts';
import { asFileId } from '../../helpers/people/ids.ts';

export const shapes = {
  installation: { table: 'installation', columns: { slot: 'text', id: 'text', created_at: 'int' } },
  users: {
    table: 'users',
    columns: { id: 'text', phone: 'text', email: 'text?', email_key: 'text?', blocked_at: 'int?', created_at: 'int' },
  },
  files: { table: 'files', columns: { id: 'text', user_id: 'text', size: 'int', sha256: 'text' } },
} as const satisfies Record<string, TableShape>;

/** The same tables, with any text in them. */
export const smallSchema: BackupSchema = Object.values(shapes).map(({ table, columns }) => ({
  table,
  key: ['id'],
  columns,
  forms: {},
}));

/** The facts of a file whose bytes are this text. */
export function factsOf(id: string, text: string): BlobInfo {
  return { id: asFileId(id), size: Buffer.byteLength(text), sha256: hash('sha256', text) };
}

export function userRow(id: string, blockedAt: number | null = null) {
  return [id, `+${id}`, `${id}@example.com`, `${id}@example.com`, blockedAt, 1];
}

export function fileRow(userId: string, { id, size, sha256 }: BlobInfo) {
  return [id, userId, size, sha256];
}

/** For the tests of one `describe`: each call makes a new empty folder, and all are removed at the end. */
export function useTemporaryFolders(): () => string {
  let root = '';
  let count = 0;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  return () => {
    const folder = join(root, `${count++}`);
    mkdirSync(folder);
    return folder;
  };
}

export type BackupContent = {
  readonly pages: readonly Page[];
  readonly files: readonly BlobInfo[];
  readonly changes?: Partial<Manifest>;
};

/** Writes the rows and the list of files as a backup does, in their given order, and a manifest that fits them. */
export async function writeSmallBackup(folder: string, { pages, files, changes = {} }: BackupContent): Promise<void> {
  const rows: Record<string, number> = {};
  const count = ({ table }: TableShape, added: number) => {
    rows[table] = (rows[table] ?? 0) + added;
  };
  const database = await writeLines(databasePath(folder), writePages(each(pages), count), true);
  const lines = files.map((facts) => `${JSON.stringify(facts)}\n`);
  const fileList = await writeLines(fileListPath(folder), each(lines), false);
  await writeManifest(folder, {
    createdAt: '2031-05-05T12:00:00.000Z',
    version: '0.0.0',
    migrations: ['0001-first'],
    rows,
    files: { count: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), areIncluded: true },
    sha256: { database, fileList },
    ...changes,
  });
}

export async function* each<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items;
}

export type MemoryBlobs = BlobStore & { readonly texts: Map<string, string>; mark: string | undefined };

/** A storage in memory. `keep` takes the bytes from its own spools. */
export function createMemoryBlobs(content: Readonly<Record<string, string>> = {}, mark?: string): MemoryBlobs {
  const texts = new Map(Object.entries(content));
  const spooled = new Map<string, Buffer[]>();
  const store: MemoryBlobs = {
    kind: 'disk',
    parts: memoryParts([], () => assert.fail('no upload is finished here')),
    texts,
    mark,
    spool: async () => {
      const path = `${spooled.size}`;
      const chunks: Buffer[] = [];
      spooled.set(path, chunks);
      return {
        path,
        get size() {
          return Buffer.concat(chunks).length;
        },
        write: async (chunk) => void chunks.push(chunk),
        replace: async () => undefined,
        reader: { size: 0, read: async () => Buffer.alloc(0) },
        discard: async () => undefined,
      };
    },
    keep: async ({ path }, id) => void texts.set(id, Buffer.concat(spooled.get(path) ?? []).toString()),
    read: async (id, _, size) => {
      const text = texts.get(id);
      if (text === undefined || Buffer.byteLength(text) !== size)
        throw new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
      return Readable.from([Buffer.from(text)], { objectMode: false });
    },
    remove: async (id) => void texts.delete(id),
    openLocally: async (id) => ({ path: id, release: async () => undefined }),
    readVariant: async () => undefined,
    keepVariant: async () => undefined,
    list: async function* () {
      for (const [id, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
        yield { id: asFileId(id), size: Buffer.byteLength(text), modifiedAt: 0 };
    },
    readMark: async () => store.mark,
    writeMark: async (installation) => {
      store.mark = installation;
    },
    sweepSpools: async () => 0,
    ping: async () => undefined,
  };
  return store;
}
