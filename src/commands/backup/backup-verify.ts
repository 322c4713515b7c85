// The command `backup verify`: reads a backup to its last byte and reports whether it is complete.

import { resolve } from 'node:path';
import { openBase } from '../../backup/backup-files.ts';
import { judgeMac, type MacVerdict, requireMac } from '../../backup/backup-mac.ts';
import { readManifest } from '../../backup/manifest.ts';
import { verifyBackup } from '../../backup/restore/verify-backup.ts';
import { chooseBlobs } from '../../service/choose-blobs.ts';
import { backupSchema } from '../../service/choose-snapshots.ts';
import { CommandError } from '../command-error.ts';
import type { Command, CommandInput } from '../declarations.ts';
import type { OperatorContext } from '../operator-context.ts';
import { startProgress } from '../progress.ts';
import { countOf } from '../write-text.ts';
import { acceptedKeys } from './backup-keys.ts';
import { nameInBucket, type OpenFiles, withBackup } from './backup-place.ts';

/** Exit code 1 when something is missing, damaged or forged. */
export const backupVerify: Command<'backup verify'> = async (context, input) =>
  withBackup(context.config(), input.backup, (folder, openFiles) => verifyFolder(context, folder, openFiles, input));

async function verifyFolder(
  context: OperatorContext,
  folder: string,
  openFiles: OpenFiles,
  input: CommandInput<'backup verify'>,
): Promise<0 | 1> {
  const { since, unauthenticated } = input;
  if (since !== undefined && nameInBucket(input.backup) !== undefined)
    throw new CommandError('--since takes folders. A backup in a bucket is read whole.', 2);
  const keys = acceptedKeys(context.config());
  let mac: MacVerdict = 'no key';
  const manifest = await readManifest(folder, (purpose, text, given) => {
    mac = judgeMac(keys, purpose, text, given);
    // Without a key there is nothing to compare with. The last line says so.
    requireMac(keys, unauthenticated || keys.length === 0)(purpose, text, given);
  });
  const progress = startProgress('Verify');
  const blobsIn = (place: string) => chooseBlobs({ storage: undefined, dataDir: place });
  const copies = await openFiles(manifest);
  const base = since === undefined ? undefined : await openBase(resolve(since), await blobsIn(resolve(since)));
  const deps = { schema: backupSchema, copies, base };
  const { troubles, shared } = await verifyBackup(deps, { folder, manifest, progress: progress.report });
  progress.end();
  const { createdAt, rows, files } = manifest;
  const isWhole = troubles.length === 0;
  const included = files.areIncluded ? '' : ' (not included)';
  const skipped = shared > 0 ? `; ${shared} are shared with ${since} and were not read` : '';
  const lines = [
    `Created at ${createdAt}: ${countOf(rows.users ?? 0, 'user')}, ${countOf(files.count, 'file')}${included}${skipped}.`,
    ...(isWhole ? [conclude(mac, shared)] : troubles.map((trouble) => `Damaged: ${trouble}`)),
  ];
  context.show({ isWhole, mac, troubles, createdAt, rows, files, shared }, lines.join('\n'));
  return isWhole ? 0 : 1;
}

/** Of shared files it is known only that they are shared. */
function conclude(mac: MacVerdict, shared: number): string {
  if (shared === 0) return `The backup is complete. ${macTexts[mac]}`;
  const proof = mac === 'right' ? 'Its MAC is right: nothing of that was changed since it was made.' : macTexts[mac];
  return `What was read is complete. ${proof}`;
}

/** Others than these are refused before anything is read. */
const macTexts: Readonly<Record<MacVerdict, string>> = {
  right: 'Its MAC is right: nothing was changed since it was made.',
  missing: 'It has no MAC.',
  'not checked': 'Its MAC was not checked, because BACKUP_KEY is not set.',
  'no key': 'It has no MAC, so nothing shows whether it was changed.',
  'other key': '',
  wrong: '',
};
