// Use case: read a whole backup and report everything that is missing, damaged, or does not belong there.
import { relative } from 'node:path';
import { isBlobSound } from '../../files/storage/copy-blob.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import { inParallel } from '../../kernel/work/in-parallel.ts';
import { type BackupFiles, isShared } from '../backup-files.ts';
import { readFileList } from '../file-list.ts';
import type { Manifest } from '../manifest.ts';
import type { BackupSchema } from '../snapshot.ts';
import { checkContent } from './check-rows.ts';

export type BackupCheck = {
  /** One line each, at most a thousand. */
  readonly troubles: readonly string[];
  /** Files that are shared with an earlier backup and were not read again. */
  readonly shared: number;
};

type VerifyDeps = {
  readonly schema: BackupSchema;
  readonly copies: BackupFiles;
  readonly base: BackupFiles | undefined;
};

export async function verifyBackup(
  { schema, copies, base }: VerifyDeps,
  { folder, manifest, progress }: { folder: string; manifest: Manifest; progress: Progress },
): Promise<BackupCheck> {
  const { findings, isListed } = await checkContent({ folder, manifest, schema, copies });
  if (!isListed || !manifest.files.areIncluded) return { troubles: findings.list(), shared: 0 };
  const tally = { done: 0, bytes: 0, bad: 0, shared: 0 };
  await inParallel(
    readFileList(folder, () => undefined),
    4,
    async (facts) => {
      if (base !== undefined && (await isShared(copies, base, facts))) tally.shared += 1;
      else if (!(await isBlobSound(copies.viewOf(facts), facts))) {
        tally.bad += 1;
        findings.add(`the file ${facts.id} is missing or damaged (${relative(folder, copies.pathOf(facts))})`);
      }
      tally.done += 1;
      tally.bytes += facts.size;
      progress({ done: tally.done, total: manifest.files.count, bytes: tally.bytes, what: 'files' });
    },
  );
  const summary = tally.bad > 0 ? [`${tally.bad} of ${tally.done} files are missing or damaged`] : [];
  return { troubles: [...findings.list(), ...summary], shared: tally.shared };
}
