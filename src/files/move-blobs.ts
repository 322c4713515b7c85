// Use case: bring every file's bytes from one storage to another, as often as it takes; a file that has arrived is not sent again.
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import type { BlobStore } from './blob-store.ts';
import { checkFiles, removeAdrift } from './check-files.ts';
import { copyBlob, isBlobSound } from './copy-blob.ts';
import type { FileDeps } from './deps.ts';
import type { StoredFile } from './stored-file.ts';

export type MoveDeps = Pick<FileDeps, 'files' | 'clock'> & {
  readonly source: BlobStore;
  readonly target: BlobStore;
};

export type Move = {
  /** Records that were looked at. */
  readonly records: number;
  readonly copied: number;
  readonly bytes: number;
  /** Blobs taken from the source, after the target had given each back with its hash. */
  readonly removed: number;
  /** Files whose bytes are in neither storage, or are damaged. */
  readonly missing: readonly string[];
};

type Tally = { records: number; copied: number; bytes: number; removed: number; missing: string[] };

const pageSize = 500;

export async function moveBlobs(
  deps: MoveDeps,
  { deletesSource, progress }: { deletesSource: boolean; progress: Progress },
): Promise<Move> {
  await Promise.all([deps.source.ping(), deps.target.ping()]);
  const left = await sizesIn(deps.source);
  const arrived = await sizesIn(deps.target);
  const tally: Tally = { records: 0, copied: 0, bytes: 0, removed: 0, missing: [] };
  await inParallel(records(deps.files), 4, async (file) => {
    const isThere = arrived.get(file.id) === file.size || (await bring(deps, file, tally));
    if (isThere && deletesSource && left.has(file.id)) await removeFrom(deps, file, tally);
    tally.records += 1;
    progress({ done: tally.records, total: Math.max(left.size, arrived.size), bytes: tally.bytes, what: 'files' });
  });
  // Bytes of deleted files, which nobody would sweep there any more.
  if (deletesSource) tally.removed += await removeAdriftFrom(deps);
  return tally;
}

/** False when it is in neither place; one that was deleted meanwhile is nobody's loss. */
async function bring({ files, source, target }: MoveDeps, file: StoredFile, tally: Tally): Promise<boolean> {
  if ((await copyBlob(source, target, file)) === 'copied') {
    if ((await files.findFile(file.id)) === undefined) {
      await target.remove(file.id);
      return false;
    }
    tally.copied += 1;
    tally.bytes += file.size;
    return true;
  }
  // An upload that went to the target after its blobs were listed.
  if (await isBlobSound(target, file)) return true;
  if ((await files.findFile(file.id)) !== undefined) tally.missing.push(file.id);
  return false;
}

async function removeFrom({ source, target }: MoveDeps, file: StoredFile, tally: Tally): Promise<void> {
  if (!(await isBlobSound(target, file)) && (await copyBlob(source, target, file)) !== 'copied') {
    tally.missing.push(file.id);
    return;
  }
  await source.remove(file.id);
  tally.removed += 1;
}

async function removeAdriftFrom({ files, source, clock }: MoveDeps): Promise<number> {
  const { adrift } = await checkFiles({ files, blobs: source, clock });
  return removeAdrift({ files, blobs: source }, adrift);
}

async function sizesIn(blobs: BlobStore): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { id, size } of blobs.list()) sizes.set(id, size);
  return sizes;
}

async function* records(files: MoveDeps['files']): AsyncIterable<StoredFile> {
  for (let after = ''; ; ) {
    const page = await files.listAll({ after, most: pageSize });
    yield* page;
    after = page.at(-1)?.id ?? after;
    if (page.length < pageSize) return;
  }
}
