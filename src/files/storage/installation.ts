// Decides whether a database and a storage belong together. Both have an installation id, which must be the same.
import type { Act } from '../../kernel/audit.ts';
import { randomText } from '../../kernel/crypto/random.ts';

export type InstallationStore = {
  /** The id of the database. Undefined before its first start. */
  find(): Promise<string | undefined>;
  /** Sets this id unless the database has one. Returns the id, which is the same for all nodes that race. */
  claim(input: { id: string; now: number }): Promise<string>;
  /** Sets a new id. Records who did it, and the previous id of the storage. */
  adopt(input: { id: string; before: string | undefined; by: Act; now: number }): Promise<void>;
  /** Counts users and file records, up to a limit. */
  measure(): Promise<Holdings>;
};

export type Holdings = { readonly users: number; readonly records: number };

/** A sample of blobs: how many have a record (`known`), and how many have none and are too old to be an upload (`adrift`). */
export type BlobSample = { readonly blobs: number; readonly known: number; readonly adrift: number };

export type InstallationState = Holdings & {
  readonly database: string | undefined;
  readonly storage: string | undefined;
  readonly sample: BlobSample;
};

export type MismatchReason =
  /** Both have an id, and the ids differ. */
  | 'two installations'
  /** The storage has an id, and the database has never been started. */
  | 'new database'
  /** The storage has no id, and contains files that this database does not know. */
  | 'strange files'
  /** The storage is empty, and the database has records. */
  | 'no files'
  /** They may belong together, but the service has not joined them yet. */
  | 'not joined';

/** claim: both are new, or seem to belong together. too early: the storage contains only files that may be uploads under way. */
export type Verdict = 'same' | 'claim' | 'too early' | MismatchReason;

export function judgeInstallation({ database, storage, records, sample }: InstallationState): Verdict {
  if (storage !== undefined) {
    if (database === undefined) return 'new database';
    return database === storage ? 'same' : 'two installations';
  }
  if (sample.blobs === 0) return records === 0 ? 'claim' : 'no files';
  if (sample.adrift > 0) return 'strange files';
  return sample.known > 0 ? 'claim' : 'too early';
}

/** Database and storage do not belong together. The service must not run on them and must remove nothing. */
export class InstallationMismatch extends Error {
  readonly discord: MismatchReason;
  readonly facts: InstallationState;

  constructor(discord: MismatchReason, facts: InstallationState) {
    super(`database and storage do not belong together: ${discord}`);
    this.discord = discord;
    this.facts = facts;
  }
}

export function newInstallationId(): string {
  return `ins_${randomText(16)}`;
}

/** Stands for a mark that another program wrote. No database has it as its id, so no database belongs to such a storage. */
export const foreignMark = 'a mark of another program';

/** The mark of a storage, to be compared, shown and stored. Undefined for an empty one: it was cut off, and is written again. */
export function parseMark(text: string): string | undefined {
  const id = text.trim();
  if (id === '') return undefined;
  return isInstallationId(id) ? id : foreignMark;
}

export function isInstallationId(text: string): boolean {
  return /^ins_[A-Za-z0-9_-]{22}$/.test(text);
}
