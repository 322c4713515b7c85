// The command `files move`: copies all files from one storage to another while the service runs. A second run continues the first.

import { readFile } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { parseStorageUrl, storageForms } from '../../config/read-secrets.ts';
import type { BlobStore } from '../../files/storage/blob-store.ts';
import { type Move, moveBlobs } from '../../files/storage/move-blobs.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { chooseBlobs } from '../../service/choose-blobs.ts';
import { createPorts } from '../../store/ports.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { startProgress } from '../progress.ts';
import { joinTarget, requireJoined } from '../require-joined.ts';
import { countOf } from '../write-text.ts';

type Storage = Config['storage'];

/** Exit code 1 when the bytes of a file are in neither storage. */
export const filesMove: Command<'files move'> = async (context, { to, from, deleteSource }) => {
  const config = context.config();
  const target = await readStorage(to, '--to');
  const source = from === undefined ? config.storage : await readStorage(from, '--from');
  if (placeOf(source) === placeOf(target))
    throw new CommandError('Source and target are the same place. Use --from to name the place where the files are.');
  if (deleteSource && placeOf(source) === placeOf(config.storage))
    throw new CommandError(
      'STORAGE_URL still names the source: the service reads files there. Set it to the target, restart the service, then delete the source.',
    );
  const store = await context.openStore();
  const progress = startProgress('Move');
  const deps = {
    files: createPorts(store).files,
    clock: store.clock,
    source: await chooseBlobs({ ...config, storage: source }),
    target: await chooseBlobs({ ...config, storage: target }),
  };
  if (!(await isEmpty(deps.source))) await requireJoined({ ...config, storage: source }, store, deps.source);
  await joinTarget({ ...config, storage: target }, store, deps.target);
  const move = await moveBlobs(deps, {
    deletesSource: deleteSource,
    progress: progress.report,
    tell: (id) => context.say(`Removing ${id}, which has no record.`),
  });
  // An empty source belongs to no installation. A node that still has the old settings must not start on it.
  if (deleteSource && (await isEmpty(deps.source))) await deps.source.writeMark(undefined);
  progress.end();
  context.show(move, describe(move));
  if (placeOf(target) !== placeOf(config.storage))
    context.say(
      'Next: set STORAGE_URL to the target and restart the service. Then run this command again, with --from naming the old storage, to copy files that were uploaded since then.',
    );
  if (deleteSource && move.adriftCount > 0) context.say(describeAdrift(move));
  return move.missingCount === 0 ? 0 : 1;
};

/** An S3 URL, `disk:` for DATA_DIR, or `@path` of a file that contains one of them, so that no key shows in the process list. */
async function readStorage(text: string, option: string): Promise<Storage> {
  const url = text.startsWith('@') ? (await readUrl(text.slice(1), option)).trim() : text;
  if (url === 'disk:') return undefined;
  const storage = parseStorageUrl(url);
  if (storage !== undefined) return storage;
  throw new CommandError(
    `${option} cannot be read. Write ${storageForms}, disk:, or @path of a file that contains it.`,
  );
}

function readUrl(path: string, option: string): Promise<string> {
  return readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    const cure = code === 'EACCES' ? 'Give it to the user of the service: chown gatehouse FILE' : 'Check the path';
    throw new CommandError(`${option} names ${path}, which cannot be read (${code}). ${cure}.`);
  });
}

async function isEmpty(blobs: BlobStore): Promise<boolean> {
  for await (const _blob of blobs.list()) return false;
  return true;
}

/** Two settings with the same place name the same storage, whatever their keys. */
export function placeOf(storage: Storage): string {
  return storage === undefined ? 'disk' : [storage.host, storage.path, storage.query.prefix ?? ''].join(' ');
}

/** The same bound as that of the sweep: more than this are not remains of interrupted uploads. */
function describeAdrift({ adriftCount }: Move): string {
  return `${adriftCount} blobs without a record stay in the source. Their records may have been lost, and the blobs would be lost too. To remove them anyway, set STORAGE_URL to the source for one command: gatehouse files check --repair --yes`;
}

function describe({ records, copied, bytes, removed, missing, missingCount }: Move): string {
  return [
    `${countOf(records, 'file')}: ${copied} copied (${formatBytes(bytes)}), the rest was already there`,
    ...(removed > 0 ? [`${removed} removed from the source`] : []),
    ...missing.map((id) => `In neither place, or damaged: ${id}`),
    ...(missingCount > missing.length ? [`and ${missingCount - missing.length} more`] : []),
  ].join('\n');
}
