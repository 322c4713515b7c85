// Use case: move every blob from one storage to another. It can be repeated: it does not copy a blob again that the target has.

import type { FileId } from '../../kernel/ids.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import { inParallel } from '../../kernel/work/in-parallel.ts';
import type { FileDeps } from '../deps.ts';
import type { StoredFile } from '../stored-file.ts';
import { areTooMany } from '../sweeps/blob-sweep.ts';
import type { BlobStore } from './blob-store.ts';
import { mostListed, removeAdrift } from './check-files.ts';
import { compareFiles, type Pair, readSizes } from './compare-files.ts';
import { copyBlob, isBlobSound } from './copy-blob.ts';
import { graceSeconds } from './examine-slice.ts';

export type MoveDeps = Pick<FileDeps, 'files' | 'clock'> & {
  readonly source: BlobStore;
  readonly target: BlobStore;
};

export type Move = {
  /** Records that were processed. */
  readonly records: number;
  readonly copied: number;
  readonly bytes: number;
  /** Blobs removed from the source, after each one was read back from the target and its hash verified. */
  readonly removed: number;
  /** Orphans that stay in the source. If there are too many, their records may be lost, so none is removed. */
  readonly adriftCount: number;
  /** Files whose bytes are missing from both storages, or damaged: the count, and the first ids. */
  readonly missingCount: number;
  readonly missing: readonly string[];
};

type Tally = { -readonly [Key in keyof Move]: Move[Key] } & { missing: string[] };

/** The maximum number of orphans that one run removes. The next run removes more. */
const maxOrphans = 10_000;

type MoveOptions = {
  readonly deletesSource: boolean;
  readonly progress: Progress;
  /** Called before each removal of an orphan. */
  readonly tell: (id: string) => void;
  readonly mostOrphans?: number;
};

type MoveItem = Pair & { readonly targetSize: number | undefined };

export async function moveBlobs(
  deps: MoveDeps,
  { deletesSource, progress, tell, mostOrphans = maxOrphans }: MoveOptions,
): Promise<Move> {
  await Promise.all([deps.source.ping(), deps.target.ping()]);
  const tally: Tally = { records: 0, copied: 0, bytes: 0, removed: 0, adriftCount: 0, missingCount: 0, missing: [] };
  const oldest = deps.clock.now() - graceSeconds * 1000;
  const adrift: FileId[] = [];
  let blobs = 0;
  await inParallel(readItems(deps), 4, async ({ blob, record, targetSize }) => {
    if (blob !== undefined) blobs += 1;
    if (record === undefined) {
      if (blob.modifiedAt >= oldest) return;
      tally.adriftCount += 1;
      if (adrift.length < mostOrphans) adrift.push(blob.id);
      return;
    }
    const isInTarget = targetSize === record.size || (await copyToTarget(deps, record, tally));
    if (isInTarget && deletesSource && blob !== undefined) await removeFromSource(deps, record, tally);
    tally.records += 1;
    progress({ done: tally.records, total: 0, bytes: tally.bytes, what: 'files' });
  });
  // Bytes of deleted files. No sweep runs on the source after the move.
  if (deletesSource && !areTooMany(tally.adriftCount, blobs)) {
    const { length } = await removeAdrift({ files: deps.files, blobs: deps.source }, adrift, tell);
    tally.removed += length;
    tally.adriftCount -= length;
  }
  return tally;
}

/** Source blobs, records and target sizes, merged by id. */
async function* readItems({ files, source, target }: MoveDeps): AsyncIterable<MoveItem> {
  const sizes = readSizes(target);
  try {
    for await (const pair of compareFiles({ files, blobs: source }))
      yield { ...pair, targetSize: await sizes.at(pair.id) };
  } finally {
    await sizes.end();
  }
}

/** Whether the target has the blob now. Does not count a file as missing if it was deleted in the meantime. */
async function copyToTarget({ files, source, target }: MoveDeps, file: StoredFile, tally: Tally): Promise<boolean> {
  if ((await copyBlob(source, target, file)) === 'copied') {
    if ((await files.findRecord(file.id)) === undefined) {
      await target.remove(file.id);
      return false;
    }
    tally.copied += 1;
    tally.bytes += file.size;
    return true;
  }
  // An upload may have stored it in the target after the target was listed.
  if (await isBlobSound(target, file)) return true;
  if ((await files.findRecord(file.id)) !== undefined) countMissing(tally, file.id);
  return false;
}

async function removeFromSource({ source, target }: MoveDeps, file: StoredFile, tally: Tally): Promise<void> {
  if (!(await isBlobSound(target, file)) && (await copyBlob(source, target, file)) !== 'copied') {
    countMissing(tally, file.id);
    return;
  }
  await source.remove(file.id);
  tally.removed += 1;
}

function countMissing(tally: Tally, id: string): void {
  tally.missingCount += 1;
  if (tally.missing.length < mostListed) tally.missing.push(id);
}
