// Use case: compare all records and blobs, and remove orphan blobs on request.

import type { FileId } from '../../kernel/ids.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import { inParallel } from '../../kernel/work/in-parallel.ts';
import type { FileDeps } from '../deps.ts';
import { isFileId } from '../stored-file.ts';
import { examineSlice, type Slice } from './examine-slice.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'clock'>;

export type FileCheck = {
  readonly records: number;
  readonly blobs: number;
  /** Blobs without a record that may belong to an upload under way. */
  readonly young: number;
  readonly missingCount: number;
  readonly adriftCount: number;
  /** The first `mostListed` ids. */
  readonly missing: readonly FileId[];
  readonly adrift: readonly FileId[];
};

/** The maximum number of ids in a report. The rest are only counted. */
export const mostListed = 1000;

const bounds = { ids: 10_000, findings: 1000, milliseconds: Number.POSITIVE_INFINITY };

export async function checkFiles(deps: Deps, progress: Progress = () => undefined): Promise<FileCheck> {
  let check: FileCheck = {
    records: 0,
    blobs: 0,
    young: 0,
    missingCount: 0,
    adriftCount: 0,
    missing: [],
    adrift: [],
  };
  await forEachSlice(deps, async (slice) => {
    check = add(check, slice);
    progress({ done: check.records, total: 0, bytes: 0, what: 'files' });
  });
  return check;
}

/** Returns how many blobs it removed. Calls `onRemove` before each removal. */
export async function removeAllAdrift(deps: Deps, onRemove: (id: FileId) => void): Promise<number> {
  let count = 0;
  await forEachSlice(deps, async ({ adrift }) => {
    count += (await removeAdrift(deps, adrift, onRemove)).length;
  });
  return count;
}

/** Removes blobs that have no record, after checking each one again. Returns the ids of the removed blobs. */
export async function removeAdrift(
  { files, blobs }: Pick<Deps, 'files' | 'blobs'>,
  ids: Iterable<FileId>,
  onRemove: (id: FileId) => void,
): Promise<FileId[]> {
  const removed: FileId[] = [];
  await inParallel(each(ids), 4, async (id) => {
    if (!isFileId(id) || (await files.findRecord(id)) !== undefined) return;
    onRemove(id);
    await blobs.remove(id);
    removed.push(id);
  });
  return removed;
}

async function forEachSlice(deps: Deps, work: (slice: Slice) => Promise<void>): Promise<void> {
  for (let place: string | undefined = ''; place !== undefined; ) {
    const slice: Slice = await examineSlice(deps, place, bounds);
    await work(slice);
    place = slice.next;
  }
}

function add(check: FileCheck, slice: Slice): FileCheck {
  return {
    records: check.records + slice.records,
    blobs: check.blobs + slice.blobs,
    young: check.young + slice.young,
    missingCount: check.missingCount + slice.missing.length,
    adriftCount: check.adriftCount + slice.adrift.length,
    missing: [...check.missing, ...slice.missing].slice(0, mostListed),
    adrift: [...check.adrift, ...slice.adrift].slice(0, mostListed),
  };
}

async function* each(ids: Iterable<FileId>): AsyncIterable<FileId> {
  yield* ids;
}
