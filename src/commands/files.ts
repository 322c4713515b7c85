// The command `files check`: compares records and blobs in both directions, and repairs what can be repaired.

import { chooseBlobs } from '../app/choose-blobs.ts';
import { BackupError } from '../backup/snapshot.ts';
import type { Config } from '../config/config.ts';
import { areTooMany } from '../files/blob-sweep.ts';
import { checkFiles, type FileCheck, removeAllAdrift } from '../files/check-files.ts';
import { createPorts } from '../store/ports.ts';
import { CommandError } from './command-error.ts';
import { openMigrated } from './open-migrated.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { requireJoined } from './require-joined.ts';
import { print, tell } from './terminal.ts';

export type CheckOptions = { readonly json?: true; readonly repair?: true; readonly yes?: true };

/** Exit code 1 when something is adrift or missing and stays so. */
export function checkFilesCommand(config: Config, { json, repair, yes }: CheckOptions): Promise<number> {
  return orRefusal(async () => {
    const store = await openMigrated(config);
    const progress = startProgress('Check');
    try {
      const { files, sweeps } = createPorts(store);
      const deps = { files, blobs: await chooseBlobs(config), clock: store.clock };
      await requireJoined(config, store, deps.blobs).catch((error: unknown) => {
        if (repair || !(error instanceof CommandError)) throw error;
        tell(`${error.message}\n`);
      });
      const check = await checkFiles(deps, progress.report);
      progress.end();
      if (repair && !yes) refuseMany(check);
      const removed = repair ? await removeAllAdrift(deps, (id) => tell(`Removing ${id}, which has no record.\n`)) : 0;
      const { blobs, adriftCount, missingCount: missing } = check;
      const left = Math.max(0, adriftCount - removed);
      if (repair) await sweeps.recount({ blobs: blobs - removed, orphans: left, missing, now: store.clock.now() });
      print(json ? `${JSON.stringify({ ...check, removed })}\n` : describe(check, removed));
      return missing + left === 0 ? 0 : 1;
    } finally {
      await store.close();
    }
  });
}

/** As the sweep does: so many are no leftovers of uploads that were cut off. */
function refuseMany({ adriftCount, blobs }: FileCheck): void {
  if (!areTooMany(adriftCount, blobs)) return;
  throw new BackupError(
    `${adriftCount} of ${blobs} blobs have no record: records may be lost, and these blobs with them. If they are to go, say --repair --yes.`,
  );
}

function describe(check: FileCheck, removed: number): string {
  const { records, blobs, young, missingCount, missing, adriftCount, adrift } = check;
  const lines = [
    `${records} records, ${blobs} blobs`,
    `${missingCount} records without their blob`,
    ...listIds(missing, missingCount),
    `${adriftCount} blobs without a record${removed > 0 ? `, ${removed} removed` : ''}`,
    ...listIds(adrift, adriftCount),
    ...(young > 0
      ? [`${young} more blobs without a record are younger than ten minutes: maybe uploads under way`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function listIds(ids: readonly string[], count: number): string[] {
  const rest = count - ids.length;
  return [...ids.map((id) => `  ${id}`), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}
