// Use case: check whether database and storage belong together. Joins them if both are new, and refuses if they differ.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FileId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import type { BlobStore } from './blob-store.ts';
import { graceSeconds } from './examine-slice.ts';
import {
  type BlobSample,
  InstallationMismatch,
  type InstallationState,
  type InstallationStore,
  judgeInstallation,
  newInstallationId,
} from './installation.ts';

export type InstallationDeps = Pick<FileDeps, 'files' | 'clock'> & {
  readonly blobs: BlobStore;
  readonly installations: InstallationStore;
};

/** Another node may be joining them at this moment, so a mismatch is checked twice. */
const recheckMilliseconds = 1000;

/** True if they belong together, false if that cannot be decided yet. Throws InstallationMismatch. */
export async function settleInstallation(
  deps: InstallationDeps,
  pause: () => Promise<unknown> = () => sleep(recheckMilliseconds),
): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    const facts = await readInstallationState(deps);
    const verdict = judgeInstallation(facts);
    if (verdict === 'same') return true;
    if (verdict === 'too early') return false;
    if (verdict === 'claim') await join(deps);
    else if (isFirst) await pause();
    else throw new InstallationMismatch(verdict, facts);
  }
}

/** For commands that read or write many files. Throws InstallationMismatch unless both have the same id. */
export async function requireInstallation(deps: InstallationDeps): Promise<void> {
  requireSame(await readInstallationState(deps));
}

function requireSame(facts: InstallationState): void {
  const verdict = judgeInstallation(facts);
  if (verdict === 'same') return;
  const isUndecided = verdict === 'claim' || verdict === 'too early';
  throw new InstallationMismatch(isUndecided ? 'not joined' : verdict, facts);
}

/** For the target of a move: an empty storage, a partly filled one, or one of this installation. Afterwards it has the id. */
export async function settleTarget(deps: InstallationDeps): Promise<void> {
  const facts = await readInstallationState(deps);
  // The files are not in the target yet, so 'no files' is not an error here.
  const isNew = facts.storage === undefined && facts.sample.adrift === 0;
  if (isNew) return join(deps);
  requireSame(facts);
}

/** The id of the database wins. `settleInstallation` then reads both again, in case another database did the same. */
async function join({ blobs, installations, clock }: InstallationDeps): Promise<void> {
  await blobs.writeMark(await installations.claim({ id: newInstallationId(), now: clock.now() }));
}

/** Samples the storage only if the ids do not decide. */
export async function readInstallationState(deps: InstallationDeps): Promise<InstallationState> {
  const storage = await deps.blobs.readMark();
  const database = await deps.installations.find();
  if (storage !== undefined && storage === database)
    return { database, storage, users: 0, records: 0, sample: { blobs: 0, known: 0, adrift: 0 } };
  const holdings = await deps.installations.measure();
  return { database, storage, ...holdings, sample: await takeSample(deps) };
}

/** Ids are random, so these places give a fair sample. A storage with few files is read completely. */
const places = ['', ...[...'4CKRZfmpu'].map((first) => `fil_${first}`)];
const perPlace = 10;

async function takeSample({ blobs, files, clock }: Omit<InstallationDeps, 'installations'>): Promise<BlobSample> {
  const before = clock.now() - graceSeconds * 1000;
  const found = new Map<FileId, number>();
  for (const after of places) {
    let taken = 0;
    for await (const { id, modifiedAt } of blobs.list({ after })) {
      found.set(id, modifiedAt);
      taken += 1;
      if (taken === perPlace) break;
    }
  }
  const records = await Promise.all([...found.keys()].map((id) => files.findRecord(id)));
  const known = records.filter((record) => record !== undefined).length;
  const adrift = [...found.values()].filter((at, index) => records[index] === undefined && at < before).length;
  return { blobs: found.size, known, adrift };
}
