// Use case: compare one slice of records and blobs. It finds records without a blob and blobs without a record.

import { Failure } from '../../kernel/failure.ts';
import type { FileId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import type { StoredFile } from '../stored-file.ts';
import { compareFiles } from './compare-files.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'clock'>;

/** An upload stores its blob before its record. So a blob younger than this is not an orphan. */
export const graceSeconds = 600;

export type Slice = {
  readonly records: number;
  readonly blobs: number;
  /** Records whose blob is missing or has a wrong size. */
  readonly missing: readonly FileId[];
  /** Orphans: blobs without a record that are older than any upload under way. */
  readonly adrift: readonly FileId[];
  /** Blobs without a record that are younger. */
  readonly young: number;
  /** Where the next slice begins. Undefined if this is the last slice. */
  readonly next: string | undefined;
};

/** A slice ends at the first of these limits: ids examined, ids to report, elapsed time. */
export type SliceBounds = { readonly ids: number; readonly findings: number; readonly milliseconds: number };

/** `time` is a monotonic clock in milliseconds. */
export async function examineSlice(
  deps: Deps,
  after: string,
  bounds: SliceBounds,
  time: () => number = () => performance.now(),
): Promise<Slice> {
  const before = deps.clock.now() - graceSeconds * 1000;
  const until = time() + bounds.milliseconds;
  const tally = { records: 0, blobs: 0, young: 0 };
  const candidates: StoredFile[] = [];
  const adrift: FileId[] = [];
  let examined = 0;
  let next: string | undefined;
  for await (const { id, blob, record } of compareFiles(deps, after)) {
    examined += 1;
    if (record !== undefined) tally.records += 1;
    if (blob !== undefined) tally.blobs += 1;
    if (record !== undefined && record.size !== blob?.size) candidates.push(record);
    else if (record === undefined && blob.modifiedAt < before) adrift.push(id);
    else if (record === undefined) tally.young += 1;
    const isFull = examined >= bounds.ids || candidates.length + adrift.length >= bounds.findings;
    if (!isFull && (examined % 100 !== 0 || time() < until)) continue;
    next = id;
    break;
  }
  return { ...tally, missing: await stillMissing(deps, candidates, before), adrift, next };
}

/** Blobs and records are not listed at the same moment. A file that was deleted or stored in between is not missing. */
async function stillMissing(
  { files, blobs }: Deps,
  candidates: readonly StoredFile[],
  before: number,
): Promise<FileId[]> {
  const records = await Promise.all(candidates.map(({ id }) => files.findRecord(id)));
  const missing: FileId[] = [];
  for (const record of records) {
    if (record === undefined) continue;
    const isPresent = record.createdAt >= before && (await isStored(blobs, record));
    if (!isPresent) missing.push(record.id);
  }
  return missing;
}

async function isStored(blobs: FileDeps['blobs'], { id, size }: StoredFile): Promise<boolean> {
  try {
    // Reads no bytes: checks only that the blob exists and has the right size.
    (await blobs.read(id, { start: 0, end: -1 }, size)).destroy();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // If the storage is unreachable, this throws. The file must not count as missing.
    await blobs.ping();
    return false;
  }
}
