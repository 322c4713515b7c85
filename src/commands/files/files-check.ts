// The command `files check`: compares file records and blobs in both directions. With --repair it removes blobs without a record.

import { checkFiles, type FileCheck, removeAllAdrift } from '../../files/storage/check-files.ts';
import { areTooMany } from '../../files/sweeps/blob-sweep.ts';
import { createPorts } from '../../store/ports.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { startProgress } from '../progress.ts';
import { requireJoined } from '../require-joined.ts';
import { countOf } from '../write-text.ts';

/** Exit code 1 when records or blobs are unmatched and stay so. */
export const filesCheck: Command<'files check'> = async (context, { repair, yes }) => {
  const store = await context.openStore();
  const progress = startProgress('Check');
  const { files, sweeps } = createPorts(store);
  const deps = { files, blobs: await context.blobs(), clock: store.clock };
  await requireJoined(context.config(), store, deps.blobs).catch((error: unknown) => {
    if (repair || !(error instanceof CommandError)) throw error;
    context.say(error.message);
  });
  const check = await checkFiles(deps, progress.report);
  progress.end();
  if (repair && !yes) refuseMany(check);
  const removed = repair ? await removeAllAdrift(deps, (id) => context.say(`Removing ${id}, which has no record.`)) : 0;
  const { blobs, adriftCount, missingCount: missing } = check;
  const left = Math.max(0, adriftCount - removed);
  if (repair) await sweeps.recount({ blobs: blobs - removed, orphans: left, missing, now: store.clock.now() });
  context.show({ ...check, removed }, describe(check, removed));
  return missing + left === 0 ? 0 : 1;
};

/** The same bound as that of the sweep: more than this are not remains of interrupted uploads. */
function refuseMany({ adriftCount, blobs }: FileCheck): void {
  if (!areTooMany(adriftCount, blobs)) return;
  throw new CommandError(
    `${adriftCount} of ${blobs} blobs have no record. Their records may have been lost, and the blobs would be lost too. To remove them anyway: --repair --yes.`,
  );
}

function describe(check: FileCheck, removed: number): string {
  const { records, blobs, young, missingCount, missing, adriftCount, adrift } = check;
  return [
    `${countOf(records, 'record')}, ${countOf(blobs, 'blob')}`,
    `${missingCount} records without a blob`,
    ...listIds(missing, missingCount),
    `${adriftCount} blobs without a record${removed > 0 ? `, ${removed} removed` : ''}`,
    ...listIds(adrift, adriftCount),
    ...(young > 0
      ? [`${young} more blobs without a record are younger than ten minutes: they may belong to current uploads`]
      : []),
  ].join('\n');
}

function listIds(ids: readonly string[], count: number): string[] {
  const rest = count - ids.length;
  return [...ids.map((id) => `  ${id}`), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}
