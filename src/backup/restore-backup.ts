// Use case: bring a backup back into an empty place. Nobody is signed in there, and nothing that was used or deleted is alive.
import type { BlobStore } from '../files/blob-store.ts';
import { type BlobFacts, copyBlob, isBlobSound } from '../files/copy-blob.ts';
import type { AuditKind } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import { newId } from '../kernel/random.ts';
import { type Manifest, namedRow, readFileList, readManifest, readPages } from './backup-folder.ts';
import type { Journal } from './journal.ts';
import { type Cell, type EmptyStore, type Page, Refusal, type Rows } from './snapshot.ts';
import { checkParts } from './verify-backup.ts';

export type RestoreDeps = {
  readonly clock: Clock;
  readonly store: EmptyStore;
  readonly blobs: BlobStore;
  readonly copies: BlobStore;
};

export type Restored = {
  readonly createdAt: string;
  readonly users: number;
  readonly files: number;
  readonly bytes: number;
  /** Records that did not come back: deleted since, as the deletions or the living storage tell. */
  readonly leftOut: { readonly users: number; readonly files: number };
};

type FileRow = BlobFacts & { readonly user_id: string };

const usageShape = { table: 'file_usage', columns: { user_id: 'text', bytes: 'int', files: 'int' } };
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
    throw new Refusal(
      `The backup has the migration ${unknown}, which this version does not know. Install a newer one.`,
    );
  const troubles = await checkParts(folder, manifest);
  if (troubles.length > 0) throw new Refusal(`The backup cannot be used: ${troubles.join('; ')}.`);
  await deps.store.refuseRows();
  const listed = new Set<string>();
  for await (const { id } of readFileList(folder)) listed.add(id);
  const { deleted } = journal;
  const isAlive = ({ id, user_id }: FileRow) => listed.has(id) && !deleted.has(id) && !deleted.has(user_id);
  const present = await takeStock(deps.blobs, manifest, listed);
  const kept = manifest.files.areIncluded
    ? await copyFiles(deps, filesOf(folder, isAlive), present, manifest, progress)
    : await keepPresent(filesOf(folder, isAlive), present);
  const tally = { users: 0, files: kept.size, bytes: 0, leftOut: { users: 0, files: 0 } };
  await deps.store.fill(manifest.migrations, pagesFor(deps, folder, { kept, journal, manifest, tally, progress }));
  return { createdAt: manifest.createdAt, ...tally };
}

/** What lies in the storage already. With blobs of its own a backup wants an empty one, or one that it began to fill. */
async function takeStock(blobs: BlobStore, { files }: Manifest, listed: ReadonlySet<string>) {
  const present = new Map<string, number>();
  for await (const { id, size } of blobs.list()) {
    if (files.areIncluded && !listed.has(id))
      throw new Refusal(
        'The storage is not empty. Restore into a new one: set DATA_DIR or STORAGE_URL to an empty place.',
      );
    if (listed.has(id)) present.set(id, size);
  }
  if (!files.areIncluded && files.count > 0 && present.size === 0)
    throw new Refusal(
      'The backup has no files of its own, and the storage has none of those it names. Set STORAGE_URL or DATA_DIR to where they are.',
    );
  return present;
}

async function copyFiles(
  { blobs, copies }: RestoreDeps,
  files: AsyncIterable<FileRow>,
  present: ReadonlyMap<string, number>,
  manifest: Manifest,
  progress: Progress,
): Promise<Set<string>> {
  const kept = new Set<string>();
  let bytes = 0;
  await inParallel(files, 4, async (file) => {
    const isThere = present.get(file.id) === file.size && (await isBlobSound(blobs, file));
    if (!isThere && (await copyBlob(copies, blobs, file)) !== 'copied')
      throw new Refusal(`The file ${file.id} of the backup is missing or damaged. Use another backup.`);
    kept.add(file.id);
    bytes += file.size;
    progress({ done: kept.size, total: manifest.files.count, bytes, what: 'files' });
  });
  return kept;
}

/** Of a backup without blobs: a file whose blob is gone was deleted since. */
async function keepPresent(files: AsyncIterable<FileRow>, present: ReadonlyMap<string, number>): Promise<Set<string>> {
  const kept = new Set<string>();
  for await (const { id, size } of files) if (present.get(id) === size) kept.add(id);
  return kept;
}

async function* filesOf(folder: string, isWanted: (file: FileRow) => boolean): AsyncIterable<FileRow> {
  for await (const { shape, rows } of readPages(folder)) {
    if (shape.table === 'files') yield* rows.map((row) => namedRow<FileRow>(shape, row)).filter(isWanted);
  }
}

type Filling = {
  readonly kept: ReadonlySet<string>;
  readonly journal: Journal;
  readonly manifest: Manifest;
  readonly tally: { users: number; files: number; bytes: number; leftOut: { users: number; files: number } };
  readonly progress: Progress;
};

async function* pagesFor({ clock }: RestoreDeps, folder: string, filling: Filling): AsyncIterable<Page> {
  const { tally, manifest } = filling;
  const usage = new Map<string, { bytes: number; files: number }>();
  const total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  let done = 0;
  for await (const page of readPages(folder)) {
    const rows = page.rows
      .filter((row) => isKept(page, row, filling, usage))
      .map((row) => actAnew(page, row, filling.journal));
    if (page.shape.table === 'users') tally.users += rows.length;
    if (rows.length > 0) yield { shape: page.shape, rows };
    done += page.rows.length;
    filling.progress({ done, total, bytes: 0, what: 'rows' });
  }
  const used = [...usage].map(([userId, { bytes, files }]): Cell[] => [userId, bytes, files]);
  for (let at = 0; at < used.length; at += 1000) yield { shape: usageShape, rows: used.slice(at, at + 1000) };
  const kind: AuditKind = 'backup.restored';
  const detail = JSON.stringify({ madeAt: manifest.createdAt, users: tally.users, files: tally.files });
  yield { shape: auditShape, rows: [[newId(), kind, null, detail, clock.now()]] };
}

/** As the journal has it, whatever the backup says. */
function actAnew({ shape }: Page, row: Rows[number], { blocks, addresses }: Journal): Rows[number] {
  if (shape.table !== 'users') return row;
  const names = Object.keys(shape.columns);
  const { id } = namedRow<{ id: string }>(shape, row);
  const block = blocks.get(id);
  const blocked =
    block === undefined ? row : row.with(names.indexOf('blocked_at'), block.kind === 'user.blocked' ? block.at : null);
  if (!addresses.has(id)) return blocked;
  return blocked.with(names.indexOf('email'), null).with(names.indexOf('email_key'), null);
}

function isKept(
  { shape }: Page,
  row: Rows[number],
  { kept, journal, tally }: Filling,
  usage: Map<string, { bytes: number; files: number }>,
): boolean {
  if (shape.table === 'users') {
    const isGone = journal.deleted.has(namedRow<{ id: string }>(shape, row).id);
    if (isGone) tally.leftOut.users += 1;
    return !isGone;
  }
  if (shape.table !== 'files') return true;
  const { id, size, user_id: userId } = namedRow<FileRow>(shape, row);
  if (!kept.has(id)) {
    tally.leftOut.files += 1;
    return false;
  }
  const used = usage.get(userId) ?? { bytes: 0, files: 0 };
  usage.set(userId, { bytes: used.bytes + size, files: used.files + 1 });
  tally.bytes += size;
  return true;
}
