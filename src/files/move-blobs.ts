// Use case: bring every file's bytes from one storage to another, as often as it takes; a file that has arrived is not sent again.
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import type { BlobStore } from './blob-store.ts';
import { areTooMany } from './blob-sweep.ts';
import { mostTold, removeAdrift } from './check-files.ts';
import { compareFiles, type Pair, readSizes } from './compare-files.ts';
import { copyBlob, isBlobSound } from './copy-blob.ts';
import type { FileDeps } from './deps.ts';
import { graceSeconds } from './examine-slice.ts';
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
  /** Blobs without a record that stay in the source: more than leftovers can be, so that their records may be lost. */
  readonly adriftCount: number;
  /** Files whose bytes are in neither storage, or are damaged: how many, and the first of them. */
  readonly missingCount: number;
  readonly missing: readonly string[];
};

type Tally = { -readonly [Key in keyof Move]: Move[Key] } & { missing: string[] };

/** So many blobs without a record go at once; the rest goes when it is run again. */
const mostAdrift = 10_000;

type Arrival = Pair & { readonly sizeThere: number | undefined };

export async function moveBlobs(
  deps: MoveDeps,
  { deletesSource, progress, tell }: { deletesSource: boolean; progress: Progress; tell: (id: string) => void },
): Promise<Move> {
  await Promise.all([deps.source.ping(), deps.target.ping()]);
  const tally: Tally = { records: 0, copied: 0, bytes: 0, removed: 0, adriftCount: 0, missingCount: 0, missing: [] };
  const oldest = deps.clock.now() - graceSeconds * 1000;
  const adrift: string[] = [];
  let blobs = 0;
  await inParallel(arrivals(deps), 4, async ({ blob, record, sizeThere }) => {
    if (blob !== undefined) blobs += 1;
    if (record === undefined) {
      if (blob === undefined || blob.modifiedAt >= oldest) return;
      tally.adriftCount += 1;
      if (adrift.length < mostAdrift) adrift.push(blob.id);
      return;
    }
    const isThere = sizeThere === record.size || (await bring(deps, record, tally));
    if (isThere && deletesSource && blob !== undefined) await removeFrom(deps, record, tally);
    tally.records += 1;
    progress({ done: tally.records, total: 0, bytes: tally.bytes, what: 'files' });
  });
  // Bytes of deleted files, which nobody would sweep there any more.
  if (deletesSource && !areTooMany(tally.adriftCount, blobs)) {
    const { length } = await removeAdrift({ files: deps.files, blobs: deps.source }, adrift, tell);
    tally.removed += length;
    tally.adriftCount -= length;
  }
  return tally;
}

/** Source, records and target side by side, by id. */
async function* arrivals({ files, source, target }: MoveDeps): AsyncIterable<Arrival> {
  const sizes = readSizes(target);
  try {
    for await (const pair of compareFiles({ files, blobs: source }))
      yield { ...pair, sizeThere: await sizes.at(pair.id) };
  } finally {
    await sizes.end();
  }
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
  if ((await files.findFile(file.id)) !== undefined) miss(tally, file.id);
  return false;
}

async function removeFrom({ source, target }: MoveDeps, file: StoredFile, tally: Tally): Promise<void> {
  if (!(await isBlobSound(target, file)) && (await copyBlob(source, target, file)) !== 'copied') {
    miss(tally, file.id);
    return;
  }
  await source.remove(file.id);
  tally.removed += 1;
}

function miss(tally: Tally, id: string): void {
  tally.missingCount += 1;
  if (tally.missing.length < mostTold) tally.missing.push(id);
}
