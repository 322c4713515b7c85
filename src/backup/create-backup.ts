// Use case: write a backup while the service runs: rows of one moment, then the files that they name.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { BlobStore } from '../files/blob-store.ts';
import { type BlobFacts, copyBlob } from '../files/copy-blob.ts';
import type { FileStore } from '../files/stored-file.ts';
import type { Clock } from '../kernel/clock.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import {
  databasePath,
  fileListPath,
  type Manifest,
  namedRow,
  readPages,
  writeLines,
  writeManifest,
  writePages,
} from './backup-folder.ts';
import type { Page, Snapshot, TableShape } from './snapshot.ts';

export type BackupDeps = {
  readonly clock: Clock;
  readonly files: Pick<FileStore, 'findFile'>;
  readonly blobs: BlobStore;
  /** The blobs of the backup itself; left out where only the database is wanted. */
  readonly copies: BlobStore | undefined;
  openSnapshot(): Promise<Snapshot>;
};

export type MadeBackup = Pick<Manifest, 'createdAt' | 'rows' | 'files'> & {
  /** Files whose record is there, but whose bytes are missing or wrong: they are not in the backup. */
  readonly damaged: readonly string[];
};

const atOnce = 4;

export async function createBackup(
  deps: BackupDeps,
  { folder, version, progress }: { folder: string; version: string; progress: Progress },
): Promise<MadeBackup> {
  await deps.blobs.ping();
  const createdAt = new Date(deps.clock.now()).toISOString();
  const { migrations, rows, sha256: database } = await writeDatabase(deps, folder, progress);
  const damaged: string[] = [];
  const total = rows.files ?? 0;
  const list = new PassThrough();
  const listing = writeLines(fileListPath(folder), list, false);
  listing.catch(() => undefined);
  let count = 0;
  let bytes = 0;
  await inParallel(filesOf(readPages(folder)), atOnce, async (facts) => {
    if (deps.copies !== undefined && !(await takeBlob(deps, deps.copies, facts, damaged))) return;
    count += 1;
    bytes += facts.size;
    progress({ done: count, total, bytes, what: 'files' });
    if (!list.write(`${JSON.stringify(facts)}\n`)) await Promise.race([once(list, 'drain'), listing]);
  });
  list.end();
  const fileList = await listing;
  const files = { count, bytes, areIncluded: deps.copies !== undefined };
  await writeManifest(folder, { createdAt, version, migrations, rows, files, sha256: { database, fileList } });
  return { createdAt, rows, files, damaged };
}

async function writeDatabase({ openSnapshot }: BackupDeps, folder: string, progress: Progress) {
  const snapshot = await openSnapshot();
  try {
    const rows: Record<string, number> = Object.fromEntries(snapshot.shapes.map(({ table }) => [table, 0]));
    let done = 0;
    const count = ({ table }: TableShape, added: number) => {
      rows[table] = (rows[table] ?? 0) + added;
      done += added;
      progress({ done, total: done, bytes: 0, what: 'rows' });
    };
    const sha256 = await writeLines(databasePath(folder), writePages(pagesOf(snapshot), count), true);
    return { migrations: snapshot.migrations, rows, sha256 };
  } finally {
    await snapshot.close();
  }
}

async function* pagesOf(snapshot: Snapshot): AsyncIterable<Page> {
  for (const shape of snapshot.shapes) for await (const rows of snapshot.pages(shape)) yield { shape, rows };
}

async function* filesOf(pages: AsyncIterable<Page>): AsyncIterable<BlobFacts> {
  for await (const { shape, rows } of pages) {
    if (shape.table !== 'files') continue;
    for (const row of rows) {
      const { id, size, sha256 } = namedRow<BlobFacts>(shape, row);
      yield { id, size, sha256 };
    }
  }
}

/** False when it is not in the backup: it was deleted meanwhile, or it is damaged. */
async function takeBlob(
  { files, blobs }: BackupDeps,
  copies: BlobStore,
  facts: BlobFacts,
  damaged: string[],
): Promise<boolean> {
  if ((await copyBlob(blobs, copies, facts)) === 'copied') return true;
  const wasDeleted = (await files.findFile(facts.id)) === undefined;
  if (!wasDeleted) damaged.push(facts.id);
  return false;
}
