// Importing a user: what a draft is, which user it belongs to, and what it may add to that user. It never changes or merges users.

import type { Act, DatedEvent } from '../kernel/audit.ts';
import type { UserId } from '../kernel/ids.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../kernel/recipient.ts';
import { eachUserDatum, noUserData, type UserData } from './user-data.ts';

/** What an import can write: the ways in, and what the app stores. */
export type ImportedFields = UserData & {
  readonly phone: PhoneNumber | null;
  readonly email: EmailAddress | null;
  /** The address in the form for comparison. */
  readonly emailKey: EmailKey | null;
};

export const noImportedFields: ImportedFields = { ...noUserData, phone: null, email: null, emailKey: null };

export type UserDraft = ImportedFields & {
  /** The id of a new user. A user of our own export keeps the id. */
  readonly id: UserId;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly blockedAt: number | null;
};

/** One commit. */
export type ImportBatch = { readonly drafts: readonly UserDraft[]; readonly by: Act; readonly now: number };

const importConflicts = [
  'the external id belongs to another user',
  'the phone number belongs to another user',
  'the e-mail address belongs to another user',
  'the user has another external id',
] as const;

type ImportConflict = (typeof importConflicts)[number];

/** `unchanged`: the user exists and has every field. */
export type ImportOutcome = 'created' | 'completed' | 'unchanged' | ImportConflict;

export type ImportStore = {
  /** Atomic: creates and completes users and writes one audit event, unless nothing changed. One outcome per draft, in order. */
  importUsers(batch: ImportBatch): Promise<readonly ImportOutcome[]>;
  /** What importUsers would do to the users as they are now. Writes nothing. */
  previewImport(batch: ImportBatch): Promise<readonly ImportOutcome[]>;
};

/** The ids of the users who have a value of the draft. */
export type DraftOwners = {
  readonly id: UserId | undefined;
  readonly externalId: UserId | undefined;
  readonly phone: UserId | undefined;
  readonly email: UserId | undefined;
};

/** The user that a draft belongs to, or undefined for a new one: by the id, else the external id, the number, the address. */
export function matchDraft(owners: DraftOwners): UserId | undefined {
  return owners.id ?? owners.externalId ?? owners.phone ?? owners.email;
}

/** Two users never become one: a value of another user refuses the draft. */
export function findConflict(
  draft: UserDraft,
  owners: DraftOwners,
  user: ImportedFields | undefined,
): ImportConflict | undefined {
  const userId = matchDraft(owners);
  const isOther = (owner: UserId | undefined) => owner !== undefined && owner !== userId;
  if (isOther(owners.externalId)) return 'the external id belongs to another user';
  if (isOther(owners.phone)) return 'the phone number belongs to another user';
  if (isOther(owners.email)) return 'the e-mail address belongs to another user';
  const isRenamed = user?.externalId != null && draft.externalId !== null && user.externalId !== draft.externalId;
  return isRenamed ? 'the user has another external id' : undefined;
}

/** The user with what was missing. Undefined if nothing was. */
export function completeUser(user: ImportedFields, draft: ImportedFields): ImportedFields | undefined {
  const address = user.emailKey === null ? draft : user;
  const completed: ImportedFields = {
    ...eachUserDatum((field) => user[field] ?? draft[field]),
    phone: user.phone ?? draft.phone,
    email: address.email,
    emailKey: address.emailKey,
  };
  const names = Object.keys(completed) as (keyof ImportedFields)[];
  return names.some((name) => completed[name] !== user[name]) ? completed : undefined;
}

/** None if nothing changed, so that a repeated import leaves no trace. */
export function importedEvents({ by, now }: ImportBatch, outcomes: readonly ImportOutcome[]): DatedEvent[] {
  const count = (wanted: ImportOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const [created, completed] = [count('created'), count('completed')];
  if (created + completed === 0) return [];
  return [{ kind: 'users.imported', detail: { created, completed, ...by }, now }];
}
