// Use case: restore a backup into an empty database and storage. It restores no session, and nothing that was used or deleted.
import type { BlobStore } from '../files/blob-store.ts';
import { copyBlob, isBlobSound } from '../files/copy-blob.ts';
import type { AuditKind } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import { newId } from '../kernel/random.ts';
import type { BackupFiles } from './backup-files.ts';
import { type Manifest, namedRow, readManifest, readPages } from './backup-folder.ts';
import type { Journal } from './journal.ts';
import type { BlockKind, JournalEntry } from './journal-kinds.ts';
import { chooseFiles, type FileRow, type IsKept, keptFiles, type Stock, takeStock } from './kept-files.ts';
import { chooseInstallation, replaceInstallation } from './restored-installation.ts';
import { BackupError, type EmptyStore, type Page, type Rows } from './snapshot.ts';
import { checkParts } from './verify-backup.ts';

export type RestoreDeps = {
  readonly clock: Clock;
  readonly store: EmptyStore;
  readonly blobs: BlobStore;
  readonly copies: BackupFiles;
};

export type Restored = {
  readonly createdAt: string;
  readonly users: number;
  readonly files: number;
  readonly bytes: number;
  /** Records that were not restored, because the journal or the storage shows that they were deleted since. */
  readonly leftOut: { readonly users: number; readonly files: number };
};

const auditShape = {
  table: 'audit_events',
  columns: { id: 'text', kind: 'text', user_id: 'text?', detail: 'text', created_at: 'int' },
};

export async function restoreBackup(
  deps: RestoreDeps,
  { folder, journal, progress }: { folder: string; journal: Journal; progress: Progress },
): Promise<Restored> {
  const manifest = await readManifest(folder);
  const unknown = manifest.migrations.find((name) => !deps.store.knowsMigration(name));
  if (unknown !== undefined)
    throw new BackupError(
      `The backup has the migration ${unknown}, which this version does not know. Install a newer one.`,
    );
  const troubles = await checkParts(folder, manifest);
  if (troubles.length > 0) throw new BackupError(`The backup cannot be used: ${troubles.join('; ')}.`);
  await deps.store.refuseRows();
  const installation = await chooseInstallation(deps.blobs, folder);
  const stock = await takeStock(deps.blobs, folder, manifest);
  const choose = await chooseFiles(folder, manifest, journal, stock);
  if (manifest.files.areIncluded) await copyFiles(deps, keptFiles(folder, choose), stock, manifest, progress);
  const tally = { users: 0, files: 0, bytes: 0, leftOut: { users: 0, files: 0 } };
  const filling = { isFileKept: choose(), journal, manifest, tally, progress, installation };
  await deps.store.fill(manifest.migrations, pagesFor(deps, folder, filling));
  if (installation !== undefined) await deps.blobs.writeMark(installation);
  return { createdAt: manifest.createdAt, ...tally };
}

async function copyFiles(
  { blobs, copies }: RestoreDeps,
  files: AsyncIterable<FileRow>,
  stock: Stock,
  manifest: Manifest,
  progress: Progress,
): Promise<void> {
  let done = 0;
  let bytes = 0;
  await inParallel(files, 4, async (file) => {
    const isThere = stock.get(file.id) === file.size && (await isBlobSound(blobs, file));
    if (!isThere && (await copyBlob(copies.viewOf(file), blobs, file)) !== 'copied')
      throw new BackupError(`The file ${file.id} of the backup is missing or damaged. Use another backup.`);
    done += 1;
    bytes += file.size;
    progress({ done, total: manifest.files.count, bytes, what: 'files' });
  });
}

type Filling = {
  readonly installation: string | undefined;
  readonly isFileKept: IsKept;
  readonly journal: Journal;
  readonly manifest: Manifest;
  readonly tally: { users: number; files: number; bytes: number; leftOut: { users: number; files: number } };
  readonly progress: Progress;
};

async function* pagesFor({ clock }: RestoreDeps, folder: string, filling: Filling): AsyncIterable<Page> {
  const { tally, manifest } = filling;
  const total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  let done = 0;
  for await (const page of readPages(folder)) {
    const rows: Rows[number][] = [];
    for (const row of replaceInstallation(page, filling.installation))
      if (await isKept(page, row, filling)) rows.push(updateFromJournal(page, row, filling.journal));
    if (page.shape.table === 'users') tally.users += rows.length;
    if (rows.length > 0) yield { shape: page.shape, rows };
    done += page.rows.length;
    filling.progress({ done, total, bytes: 0, what: 'rows' });
  }
  const kind: AuditKind = 'backup.restored';
  const detail = JSON.stringify({ madeAt: manifest.createdAt, users: tally.users, files: tally.files });
  yield { shape: auditShape, rows: [[newId(), kind, null, detail, clock.now()]] };
}

/** Since when a user is blocked after an act. */
const blockedAt: Readonly<Record<BlockKind, (entry: JournalEntry<BlockKind>) => number | null>> = {
  'user.blocked': ({ at }) => at,
  'user.unblocked': () => null,
};

/** Applies the blocks and removed e-mail addresses of the journal, which is newer than the backup. */
function updateFromJournal({ shape }: Page, row: Rows[number], { blocks, addresses }: Journal): Rows[number] {
  if (shape.table !== 'users') return row;
  const names = Object.keys(shape.columns);
  const { id } = namedRow<{ id: string }>(shape, row);
  const block = blocks.get(id);
  const blocked = block === undefined ? row : row.with(names.indexOf('blocked_at'), blockedAt[block.kind](block));
  if (!addresses.has(id)) return blocked;
  return blocked.with(names.indexOf('email'), null).with(names.indexOf('email_key'), null);
}

async function isKept({ shape }: Page, row: Rows[number], { isFileKept, journal, tally }: Filling): Promise<boolean> {
  if (shape.table === 'users') {
    const isGone = journal.deleted.has(namedRow<{ id: string }>(shape, row).id);
    if (isGone) tally.leftOut.users += 1;
    return !isGone;
  }
  if (shape.table !== 'files') return true;
  const file = namedRow<FileRow>(shape, row);
  if (!(await isFileKept(file))) {
    tally.leftOut.files += 1;
    return false;
  }
  tally.files += 1;
  tally.bytes += file.size;
  return true;
}
