// Which database and which storage belong together: one id that both carry, and what follows where it is not the same.
import type { Act } from '../kernel/audit.ts';
import { randomText } from '../kernel/random.ts';

export type InstallationStore = {
  /** The id that the database carries; undefined before its first start. */
  find(): Promise<string | undefined>;
  /** Gives it this id unless it has one, and tells which it has: of nodes that race, all get the same. */
  claim(input: { id: string; now: number }): Promise<string>;
  /** Gives it another id, and writes down who did it and which the storage had before. */
  adopt(input: { id: string; before: string | undefined; by: Act; now: number }): Promise<void>;
  /** How many users and file records there are; counted up to a bound. */
  measure(): Promise<Holdings>;
};

export type Holdings = { readonly users: number; readonly records: number };

/** Of some blobs from all over the storage: how many have a record, and how many are old enough to need one and have none. */
export type BlobSample = { readonly blobs: number; readonly known: number; readonly adrift: number };

export type InstallationFacts = Holdings & {
  readonly database: string | undefined;
  readonly storage: string | undefined;
  readonly sample: BlobSample;
};

export type Discord =
  /** Both carry an id, and not the same. */
  | 'two installations'
  /** The storage belongs to somebody, and the database has never been started. */
  | 'new database'
  /** The storage carries no id, and holds files of which this database knows nothing. */
  | 'strange files'
  /** The storage is empty, and the database has records. */
  | 'no files'
  /** Nothing speaks against it, but the service, which joins them, has not run on both yet. */
  | 'not joined';

/** claim: both are new, or belong together as far as can be seen. too early: only files that may still be on their way. */
export type Verdict = 'same' | 'claim' | 'too early' | Discord;

export function judgeInstallation({ database, storage, records, sample }: InstallationFacts): Verdict {
  if (storage !== undefined) {
    if (database === undefined) return 'new database';
    return database === storage ? 'same' : 'two installations';
  }
  if (sample.blobs === 0) return records === 0 ? 'claim' : 'no files';
  if (sample.adrift > 0) return 'strange files';
  return sample.known > 0 ? 'claim' : 'too early';
}

/** Database and storage do not belong together: nothing may be removed, and the service must not run on them. */
export class InstallationMismatch extends Error {
  readonly discord: Discord;
  readonly facts: InstallationFacts;

  constructor(discord: Discord, facts: InstallationFacts) {
    super(`database and storage do not belong together: ${discord}`);
    this.discord = discord;
    this.facts = facts;
  }
}

export function newInstallationId(): string {
  return `ins_${randomText(16)}`;
}
