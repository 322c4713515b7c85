// Use case: read a backup to its last byte and tell everything that is not as it was written.
import type { BlobStore } from '../files/blob-store.ts';
import { isBlobSound } from '../files/copy-blob.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import {
  databasePath,
  fileListPath,
  hashOf,
  type Manifest,
  readFileList,
  readManifest,
  readPages,
} from './backup-folder.ts';

export type BackupCheck = { readonly manifest: Manifest; readonly troubles: readonly string[] };

export async function verifyBackup(
  { copies }: { copies: BlobStore },
  { folder, progress }: { folder: string; progress: Progress },
): Promise<BackupCheck> {
  const manifest = await readManifest(folder);
  const troubles = await checkParts(folder, manifest);
  if (troubles.length > 0) return { manifest, troubles };
  const counts: Record<string, number> = {};
  for await (const { shape, rows } of readPages(folder)) counts[shape.table] = (counts[shape.table] ?? 0) + rows.length;
  for (const [table, count] of Object.entries(manifest.rows)) {
    if ((counts[table] ?? 0) !== count) troubles.push(`${table} has ${counts[table] ?? 0} rows instead of ${count}`);
  }
  if (!manifest.files.areIncluded) return { manifest, troubles };
  let done = 0;
  let bytes = 0;
  await inParallel(readFileList(folder), 4, async (facts) => {
    if (!(await isBlobSound(copies, facts))) troubles.push(`the file ${facts.id} is missing or damaged`);
    done += 1;
    bytes += facts.size;
    progress({ done, total: manifest.files.count, bytes, what: 'files' });
  });
  if (done !== manifest.files.count) troubles.push(`${done} files instead of ${manifest.files.count}`);
  return { manifest, troubles };
}

/** The parts that everything else is read from. */
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
