// Use case: restore a backup into an empty database and storage. It checks all of it before it writes anything, and restores no session.
import type { AuditKind } from '../../kernel/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto/random.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import type { Journal } from '../journal/journal.ts';
import type { BlockKind, JournalEntry } from '../journal/journal-kinds.ts';
import type { Manifest } from '../manifest.ts';
import { BackupError, type EmptyStore, type Page, type Rows } from '../snapshot.ts';
import { fileOf, namedRow, readPages } from '../table-rows.ts';
import { checkContent } from './check-rows.ts';
import { chooseFiles, type IsKept, keptFiles, listStoredBlobs } from './kept-files.ts';
import { checkFiles, copyFiles, type FileTarget } from './restore-files.ts';
import { chooseInstallation, replaceInstallation } from './restored-installation.ts';

export type RestoreDeps = FileTarget & {
  readonly clock: Clock;
  readonly store: EmptyStore;
  /** Called when the backup is checked, before the first write. */
  begin(): void;
};

export type Restored = {
  readonly createdAt: string;
  readonly users: number;
  readonly files: number;
  readonly bytes: number;
  /** Records that were not restored, because the journal or the storage shows that they were deleted since. */
  readonly leftOut: { readonly users: number; readonly files: number };
};

type RestoreInput = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly journal: Journal;
  readonly progress: Progress;
};

const auditShape = {
  table: 'audit_events',
  columns: { id: 'text', kind: 'text', user_id: 'text?', detail: 'text', created_at: 'int' },
};

export async function restoreBackup(
  deps: RestoreDeps,
  { folder, manifest, journal, progress }: RestoreInput,
): Promise<Restored> {
  const { schema } = deps.store;
  const unknown = manifest.migrations.find((name) => !deps.store.knowsMigration(name));
  if (unknown !== undefined)
    throw new BackupError(
      `The backup has the migration ${unknown}, which this version does not know. Install a newer one.`,
    );
  const refusal = (await checkContent({ folder, manifest, schema, copies: deps.copies })).findings.refusal();
  if (refusal !== undefined) throw refusal;
  await deps.store.refuseRows();
  const installation = await chooseInstallation(deps.blobs, folder, schema);
  const stock = await listStoredBlobs(deps.blobs, folder, manifest);
  const choose = await chooseFiles(folder, manifest, journal, stock);
  const files = () => keptFiles(folder, schema, choose);
  if (manifest.files.areIncluded) await checkFiles(deps, files(), stock, countFiles(manifest, progress));
  deps.begin();
  const tally = { users: 0, files: 0, bytes: 0, leftOut: { users: 0, files: 0 } };
  const copy = async () => {
    if (manifest.files.areIncluded) await copyFiles(deps, files(), stock, countFiles(manifest, progress));
  };
  const filling = { isFileKept: choose(), journal, manifest, tally, progress, installation, copy };
  await deps.store.fill(manifest.migrations, pagesFor(deps, folder, filling));
  if (installation !== undefined) await deps.blobs.writeMark(installation);
  return { createdAt: manifest.createdAt, ...tally };
}

/** Shows how far a pass over the files is. */
function countFiles({ files }: Manifest, progress: Progress): (bytes: number) => void {
  let [done, bytes] = [0, 0];
  return (added) => {
    done += 1;
    bytes += added;
    progress({ done, total: files.count, bytes, what: 'files' });
  };
}

type Filling = {
  readonly installation: string | undefined;
  readonly isFileKept: IsKept;
  readonly journal: Journal;
  readonly manifest: Manifest;
  readonly tally: { users: number; files: number; bytes: number; leftOut: { users: number; files: number } };
  readonly progress: Progress;
  copy(): Promise<void>;
};

/** Files are copied when the database has taken all rows, and before its commit: rows that it refuses leave no file behind. */
async function* pagesFor({ clock, store }: RestoreDeps, folder: string, filling: Filling): AsyncIterable<Page> {
  const { tally, manifest } = filling;
  const total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  let done = 0;
  for await (const page of readPages(folder, store.schema)) {
    const rows: Rows[number][] = [];
    for (const row of replaceInstallation(page, filling.installation))
      if (await isKept(page, row, filling)) rows.push(updateFromJournal(page, row, filling.journal));
    if (page.shape.table === 'users') tally.users += rows.length;
    if (rows.length > 0) yield { shape: page.shape, rows };
    done += page.rows.length;
    filling.progress({ done, total, bytes: 0, what: 'rows' });
  }
  await filling.copy();
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
  const file = fileOf(shape, row);
  if (!(await isFileKept(file))) {
    tally.leftOut.files += 1;
    return false;
  }
  tally.files += 1;
  tally.bytes += file.size;
  return true;
}
