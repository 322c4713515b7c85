// Use case: bring every file's bytes from one storage to another, as often as it takes; a file that has arrived is not sent again.
import { inParallel } from '../kernel/in-parallel.ts';
import type { Progress } from '../kernel/progress.ts';
import type { BlobStore } from './blob-store.ts';
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
  /** Files whose bytes are in neither storage, or are damaged: how many, and the first of them. */
  readonly missingCount: number;
  readonly missing: readonly string[];
};

type Tally = { -readonly [Key in keyof Move]: Move[Key] } & { missing: string[] };

type Arrival = Pair & { readonly sizeThere: number | undefined };

export async function moveBlobs(
  deps: MoveDeps,
  { deletesSource, progress }: { deletesSource: boolean; progress: Progress },
): Promise<Move> {
  await Promise.all([deps.source.ping(), deps.target.ping()]);
  const tally: Tally = { records: 0, copied: 0, bytes: 0, removed: 0, missingCount: 0, missing: [] };
  await inParallel(arrivals(deps), 4, async ({ blob, record, sizeThere }) => {
    if (record === undefined) {
      // Bytes of deleted files, which nobody would sweep there any more.
      if (deletesSource && blob !== undefined) await removeOld(deps, blob, tally);
      return;
    }
    const isThere = sizeThere === record.size || (await bring(deps, record, tally));
    if (isThere && deletesSource && blob !== undefined) await removeFrom(deps, record, tally);
    tally.records += 1;
    progress({ done: tally.records, total: 0, bytes: tally.bytes, what: 'files' });
  });
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

async function removeOld(
  { files, source, clock }: MoveDeps,
  { id, modifiedAt }: { id: string; modifiedAt: number },
  tally: Tally,
): Promise<void> {
  if (modifiedAt >= clock.now() - graceSeconds * 1000) return;
  tally.removed += (await removeAdrift({ files, blobs: source }, [id], () => undefined)).length;
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
