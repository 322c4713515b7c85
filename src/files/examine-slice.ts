// Use case: compare records and blobs in both directions, from one id to another: what lacks its blob, and what lacks its record.
import { Failure } from '../kernel/failure.ts';
import { compareFiles } from './compare-files.ts';
import type { FileDeps } from './deps.ts';
import type { StoredFile } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'clock'>;

/** An upload keeps its blob before its record: a young blob without one is not adrift yet. */
export const graceSeconds = 600;

export type Slice = {
  readonly records: number;
  readonly blobs: number;
  /** Records whose blob is missing or has another size. */
  readonly missing: readonly string[];
  /** Blobs without a record, older than any upload under way can be. */
  readonly adrift: readonly string[];
  /** Blobs without a record that are younger. */
  readonly young: number;
  /** Where the next slice begins; undefined at the end of all. */
  readonly next: string | undefined;
};

/** A slice ends at the first of these: ids looked at, ids to be told, time. */
export type SliceBounds = { readonly ids: number; readonly findings: number; readonly milliseconds: number };

export async function examineSlice(deps: Deps, after: string, bounds: SliceBounds): Promise<Slice> {
  const before = deps.clock.now() - graceSeconds * 1000;
  const until = performance.now() + bounds.milliseconds;
  const tally = { records: 0, blobs: 0, young: 0 };
  const lacking: StoredFile[] = [];
  const adrift: string[] = [];
  let looked = 0;
  let next: string | undefined;
  for await (const { id, blob, record } of compareFiles(deps, after)) {
    looked += 1;
    if (record !== undefined) tally.records += 1;
    if (blob !== undefined) tally.blobs += 1;
    if (record !== undefined && record.size !== blob?.size) lacking.push(record);
    else if (blob !== undefined && record === undefined && blob.modifiedAt < before) adrift.push(id);
    else if (record === undefined) tally.young += 1;
    const isFull = looked >= bounds.ids || lacking.length + adrift.length >= bounds.findings;
    if (!isFull && (looked % 100 !== 0 || performance.now() < until)) continue;
    next = id;
    break;
  }
  return { ...tally, missing: await stillMissing(deps, lacking, before), adrift, next };
}

/** Lists and pages are of different moments: what was deleted or stored in between is not missing. */
async function stillMissing({ files, blobs }: Deps, lacking: readonly StoredFile[], before: number): Promise<string[]> {
  const records = await Promise.all(lacking.map(({ id }) => files.findFile(id)));
  const missing: string[] = [];
  for (const record of records) {
    if (record === undefined) continue;
    const isThere = record.createdAt >= before && (await isStored(blobs, record));
    if (!isThere) missing.push(record.id);
  }
  return missing;
}

async function isStored(blobs: FileDeps['blobs'], { id, size }: StoredFile): Promise<boolean> {
  try {
    // No byte of it: only whether it is there and has the size.
    (await blobs.read(id, { start: 0, end: -1 }, size)).destroy();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A storage that is away must not look like one that has lost its files.
    await blobs.ping();
    return false;
  }
}
