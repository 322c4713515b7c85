// Use case: read a whole backup and report everything that is missing or damaged.
import { relative } from 'node:path';
import { isBlobSound } from '../files/copy-blob.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import { type BackupFiles, isShared } from './backup-files.ts';
import {
  databasePath,
  fileListPath,
  hashOf,
  type Manifest,
  readFileList,
  readManifest,
  readPages,
} from './backup-folder.ts';

export type BackupCheck = {
  readonly manifest: Manifest;
  readonly troubles: readonly string[];
  /** Files that are shared with an earlier backup and were not read again. */
  readonly shared: number;
};

/** At most this many damaged files are named. All are counted. */
const mostNamed = 1000;

export async function verifyBackup(
  { copies, base }: { copies: BackupFiles; base: BackupFiles | undefined },
  { folder, progress }: { folder: string; progress: Progress },
): Promise<BackupCheck> {
  const manifest = await readManifest(folder);
  const troubles = await checkParts(folder, manifest);
  if (troubles.length > 0) return { manifest, troubles, shared: 0 };
  const counts: Record<string, number> = {};
  for await (const { shape, rows } of readPages(folder)) counts[shape.table] = (counts[shape.table] ?? 0) + rows.length;
  for (const [table, count] of Object.entries(manifest.rows)) {
    if ((counts[table] ?? 0) !== count) troubles.push(`${table} has ${counts[table] ?? 0} rows instead of ${count}`);
  }
  if (!manifest.files.areIncluded) return { manifest, troubles, shared: 0 };
  const tally = { done: 0, bytes: 0, bad: 0, shared: 0 };
  await inParallel(readFileList(folder), 4, async (facts) => {
    if (base !== undefined && (await isShared(copies, base, facts))) tally.shared += 1;
    else if (!(await isBlobSound(copies.viewOf(facts), facts))) {
      tally.bad += 1;
      if (tally.bad <= mostNamed)
        troubles.push(`the file ${facts.id} is missing or damaged (${relative(folder, copies.pathOf(facts))})`);
    }
    tally.done += 1;
    tally.bytes += facts.size;
    progress({ done: tally.done, total: manifest.files.count, bytes: tally.bytes, what: 'files' });
  });
  if (tally.bad > 0) troubles.push(`${tally.bad} of ${tally.done} files are missing or damaged`);
  if (tally.done !== manifest.files.count) troubles.push(`${tally.done} files instead of ${manifest.files.count}`);
  return { manifest, troubles, shared: tally.shared };
}

/** Checks the database and the list of files, which all other steps read. */
export async function checkParts(folder: string, { sha256 }: Manifest): Promise<string[]> {
  const parts = [
    ['the database', databasePath(folder), sha256.database],
    ['the list of files', fileListPath(folder), sha256.fileList],
  ] as const;
  const troubles: string[] = [];
  for (const [name, path, hash] of parts) {
    const found = await hashOf(path).catch(() => undefined);
    if (found !== hash) troubles.push(`${name} is ${found === undefined ? 'missing' : 'damaged'}`);
  }
  return troubles;
}
