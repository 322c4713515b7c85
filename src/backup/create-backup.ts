// Use case: write a backup while the service runs: a consistent snapshot of the rows, then the files that the rows name.
import type { BlobStore } from '../files/storage/blob-store.ts';
import { type BlobInfo, copyBlob } from '../files/storage/copy-blob.ts';
import type { FileStore } from '../files/stored-file.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Progress } from '../kernel/process/progress.ts';
import { mapInOrder } from '../kernel/work/in-parallel.ts';
import { type BackupFiles, syncFolders } from './backup-files.ts';
import { databasePath, fileListPath, writeLines } from './backup-folder.ts';
import type { BackupKey } from './backup-mac.ts';
import { createFindings } from './finding.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import type { BackupSchema, Page, Snapshot, TableShape } from './snapshot.ts';
import { fileOf, type KnownPage, readPages, writePages } from './table-rows.ts';

export type BackupDeps = {
  readonly clock: Clock;
  readonly files: Pick<FileStore, 'findRecord'>;
  readonly blobs: BlobStore;
  /** The files of the new backup. Undefined if the backup contains only the database. */
  readonly copies: BackupFiles | undefined;
  /** Takes a file from what earlier backups have. False: none has it. Undefined: there is no earlier backup. */
  readonly share: ((facts: BlobInfo) => Promise<boolean>) | undefined;
  /** The rows are read back through it: a restore would refuse what does not fit. */
  readonly schema: BackupSchema;
  /** Signs the backup. */
  readonly key: BackupKey | undefined;
  openSnapshot(): Promise<Snapshot>;
};

export type CreatedBackup = Pick<Manifest, 'createdAt' | 'rows' | 'files'> & {
  /** Files read from the storage. The other files are shared with an earlier backup. */
  readonly copied: { readonly count: number; readonly bytes: number };
  /** The ids of the first damaged files: they have a record, but their bytes are missing or wrong. They are not in the backup. */
  readonly damaged: readonly string[];
  readonly damagedCount: number;
  /** Rows that a restore would refuse. */
  readonly troubles: readonly string[];
};

const atOnce = 16;
/** At most this many damaged files are named. */
const mostNamed = 1000;

type Tally = { count: number; bytes: number; copied: { count: number; bytes: number }; damaged: string[]; bad: number };

export async function createBackup(
  deps: BackupDeps,
  { folder, version, progress }: { folder: string; version: string; progress: Progress },
): Promise<CreatedBackup> {
  await deps.blobs.ping();
  const createdAt = new Date(deps.clock.now()).toISOString();
  const { migrations, rows, sha256: database } = await writeDatabase(deps, folder, progress);
  const tally: Tally = { count: 0, bytes: 0, copied: { count: 0, bytes: 0 }, damaged: [], bad: 0 };
  const report = () => progress({ done: tally.count, total: rows.files ?? 0, bytes: tally.bytes, what: 'files' });
  const findings = createFindings();
  const pages = readPages(folder, deps.schema, findings.add);
  const fileList = await writeLines(fileListPath(folder), listFiles(deps, pages, tally, report), false);
  if (deps.share !== undefined) await syncFolders(folder);
  const { count, bytes, copied, damaged, bad: damagedCount } = tally;
  const files = { count, bytes, areIncluded: deps.copies !== undefined };
  await writeManifest(
    folder,
    { createdAt, version, migrations, rows, files, sha256: { database, fileList } },
    deps.key,
  );
  return { createdAt, rows, files, copied, damaged, damagedCount, troubles: findings.list() };
}

/** Copies a few files at a time, but lists them in the order of ids, so that a reader need not hold the whole list in memory. */
async function* listFiles(
  deps: BackupDeps,
  pages: AsyncIterable<KnownPage>,
  tally: Tally,
  report: () => void,
): AsyncIterable<string> {
  const taken = mapInOrder(filesOf(pages), atOnce, async (facts) => ({
    facts,
    isIn: await takeFile(deps, facts, tally),
  }));
  for await (const { facts, isIn } of taken) {
    if (!isIn) continue;
    tally.count += 1;
    tally.bytes += facts.size;
    report();
    yield `${JSON.stringify(facts)}\n`;
  }
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

async function* filesOf(pages: AsyncIterable<KnownPage>): AsyncIterable<BlobInfo> {
  for await (const { shape, rows } of pages) {
    if (shape.table !== 'files') continue;
    for (const row of rows) {
      const { id, size, sha256 } = fileOf(shape, row);
      yield { id, size, sha256 };
    }
  }
}

/** Returns false if the file is not in the backup: it was deleted in the meantime, or it is damaged. */
async function takeFile({ files, blobs, copies, share }: BackupDeps, facts: BlobInfo, tally: Tally): Promise<boolean> {
  if (copies === undefined) return true;
  if ((await share?.(facts)) === true) return true;
  if ((await copyBlob(blobs, copies.viewOf(facts), facts)) === 'copied') {
    tally.copied.count += 1;
    tally.copied.bytes += facts.size;
    return true;
  }
  const wasDeleted = (await files.findRecord(facts.id)) === undefined;
  if (wasDeleted) return false;
  tally.bad += 1;
  if (tally.damaged.length < mostNamed) tally.damaged.push(facts.id);
  return false;
}
