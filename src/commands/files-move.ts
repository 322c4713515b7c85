// The command `files move`: brings all files from one storage to another while the service runs; run again, it goes on.
import { readFile } from 'node:fs/promises';
import { chooseBlobs } from '../app/choose-blobs.ts';
import { BackupError } from '../backup/snapshot.ts';
import type { Config } from '../config/config.ts';
import { parseStorageUrl } from '../config/read-secrets.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { type Move, moveBlobs } from '../files/move-blobs.ts';
import { formatBytes } from '../kernel/format-bytes.ts';
import { createPorts } from '../store/ports.ts';
import { openMigrated } from './open-migrated.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { joinTarget, requireJoined } from './require-joined.ts';
import { print, tell } from './terminal.ts';

export type MoveOptions = {
  readonly to: string;
  readonly from?: string;
  readonly deleteSource?: true;
  readonly json?: true;
};

type Storage = Config['storage'];

/** Exit code 1 when bytes of a file are in neither place. */
export function filesMove(config: Config, { to, from, deleteSource, json }: MoveOptions): Promise<number> {
  return orRefusal(async () => {
    const target = await readStorage(to, '--to');
    const source = from === undefined ? config.storage : await readStorage(from, '--from');
    if (placeOf(source) === placeOf(target))
      throw new BackupError('Source and target are the same place. Name where the files are with --from.');
    if (deleteSource && placeOf(source) === placeOf(config.storage))
      throw new BackupError(
        'STORAGE_URL still names the source: the service reads there. Set it to the target, restart, then delete the source.',
      );
    const store = await openMigrated(config);
    const progress = startProgress('Move');
    try {
      const deps = {
        files: createPorts(store).files,
        clock: store.clock,
        source: await chooseBlobs({ ...config, storage: source }),
        target: await chooseBlobs({ ...config, storage: target }),
      };
      if (!(await isEmpty(deps.source))) await requireJoined({ ...config, storage: source }, store, deps.source);
      await joinTarget({ ...config, storage: target }, store, deps.target);
      const move = await moveBlobs(deps, {
        deletesSource: deleteSource === true,
        progress: progress.report,
        tell: (id) => tell(`Removing ${id}, which has no record.\n`),
      });
      if (deleteSource && (await isEmpty(deps.source))) await deps.source.writeMark(undefined);
      progress.end();
      print(json ? `${JSON.stringify(move)}\n` : describe(move));
      if (placeOf(target) !== placeOf(config.storage))
        tell(
          'Next: set STORAGE_URL to the target and restart, then run this again with --from naming the old place, for what was uploaded meanwhile.\n',
        );
      if (deleteSource && move.adriftCount > 0) tell(describeAdrift(move));
      return move.missingCount === 0 ? 0 : 1;
    } finally {
      await store.close();
    }
  });
}

/** An S3 URL, `disk:` for DATA_DIR, or `@path` of a file that holds one of them, so that no key shows among the processes. */
async function readStorage(text: string, option: string): Promise<Storage> {
  const url = text.startsWith('@') ? (await readFile(text.slice(1), 'utf8').catch(() => '')).trim() : text;
  if (url === 'disk:') return undefined;
  const storage = parseStorageUrl(url);
  if (storage !== undefined) return storage;
  throw new BackupError(
    `${option} cannot be read. Write s3://KEY:SECRET@host:port/bucket?region=…, disk:, or @path of a file that holds it.`,
  );
}

/** A place from which everything has gone is nobody's any more: a node that is still sent there by old settings must not start. */
async function isEmpty(blobs: BlobStore): Promise<boolean> {
  for await (const _blob of blobs.list()) return false;
  return true;
}

function placeOf(storage: Storage): string {
  return storage === undefined ? 'disk' : [storage.host, storage.path, storage.query.prefix ?? ''].join(' ');
}

/** As the sweep does: so many are no leftovers of uploads that were cut off. */
function describeAdrift({ adriftCount }: Move): string {
  return `${adriftCount} blobs without a record stay in the source: records may be lost, and these blobs with them. If they are to go, let STORAGE_URL name the source for one command: gatehouse files check --repair --yes\n`;
}

function describe({ records, copied, bytes, removed, missing, missingCount }: Move): string {
  const lines = [
    `${records} files: ${copied} copied (${formatBytes(bytes)}), the rest was there already`,
    ...(removed > 0 ? [`${removed} removed from the source`] : []),
    ...missing.map((id) => `In neither place, or damaged: ${id}`),
    ...(missingCount > missing.length ? [`and ${missingCount - missing.length} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
