// Use case: see whether database and storage belong together; where both are new, join them; where they differ, refuse.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobStore } from './blob-store.ts';
import type { FileDeps } from './deps.ts';
import { graceSeconds } from './examine-slice.ts';
import {
  type BlobSample,
  type InstallationFacts,
  InstallationMismatch,
  type InstallationStore,
  judgeInstallation,
  newInstallationId,
} from './installation.ts';

export type InstallationDeps = Pick<FileDeps, 'files' | 'clock'> & {
  readonly blobs: BlobStore;
  readonly installations: InstallationStore;
};

/** Another node may be joining them just now. */
const secondLookMilliseconds = 1000;

/** True when they belong together; false while that cannot be told yet. Throws InstallationMismatch. */
export async function settleInstallation(deps: InstallationDeps): Promise<boolean> {
  for (let look = 1; ; look++) {
    const facts = await gatherFacts(deps);
    const verdict = judgeInstallation(facts);
    if (verdict === 'same') return true;
    if (verdict === 'too early') return false;
    if (verdict === 'claim') await join(deps);
    else if (look === 1) await sleep(secondLookMilliseconds);
    else throw new InstallationMismatch(verdict, facts);
  }
}

/** For whoever is about to read or write many files: throws InstallationMismatch unless both carry the same id. */
export async function requireInstallation(deps: InstallationDeps): Promise<void> {
  const facts = await gatherFacts(deps);
  const verdict = judgeInstallation(facts);
  if (verdict === 'same') return;
  const isOpen = verdict === 'claim' || verdict === 'too early';
  throw new InstallationMismatch(isOpen ? 'not joined' : verdict, facts);
}

/** For a storage that the files go to: empty, begun to be filled, or this installation's already. It carries the id from then on. */
export async function settleTarget(deps: InstallationDeps): Promise<void> {
  const facts = await gatherFacts(deps);
  // That the files are not there yet is why they are moved.
  const isNew = facts.storage === undefined && facts.sample.adrift === 0;
  if (isNew) return join(deps);
  const verdict = judgeInstallation(facts);
  if (verdict === 'same' || verdict === 'claim' || verdict === 'too early') return;
  throw new InstallationMismatch(verdict, facts);
}

/** The database decides; the storage follows. Read again afterwards, in case another database did the same. */
async function join({ blobs, installations, clock }: InstallationDeps): Promise<void> {
  await blobs.writeMark(await installations.claim({ id: newInstallationId(), now: clock.now() }));
}

/** Looks into the storage only where the ids do not tell. */
export async function gatherFacts(deps: InstallationDeps): Promise<InstallationFacts> {
  const storage = await deps.blobs.readMark();
  const database = await deps.installations.find();
  if (storage !== undefined && storage === database)
    return { database, storage, users: 0, records: 0, sample: { blobs: 0, known: 0, adrift: 0 } };
  const holdings = await deps.installations.measure();
  return { database, storage, ...holdings, sample: await takeSample(deps) };
}

/** Ids are random, so places all over them are a fair choice; a storage of a few files is seen whole. */
const places = ['', ...[...'4CKRZfmpu'].map((first) => `fil_${first}`)];
const perPlace = 10;

async function takeSample({ blobs, files, clock }: Omit<InstallationDeps, 'installations'>): Promise<BlobSample> {
  const before = clock.now() - graceSeconds * 1000;
  const found = new Map<string, number>();
  for (const after of places) {
    let taken = 0;
    for await (const { id, modifiedAt } of blobs.list({ after })) {
      found.set(id, modifiedAt);
      taken += 1;
      if (taken === perPlace) break;
    }
  }
  const records = await Promise.all([...found.keys()].map((id) => files.findFile(id)));
  const known = records.filter((record) => record !== undefined).length;
  const adrift = [...found.values()].filter((at, index) => records[index] === undefined && at < before).length;
  return { blobs: found.size, known, adrift };
}
