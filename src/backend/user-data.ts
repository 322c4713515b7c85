// What an app stores with a user: its own id, claims for the access token, public and private metadata. The rules of a change.

import type { Act, DatedEvent } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';
import type { UserId } from '../kernel/ids.ts';
import { formatBytes } from '../kernel/text/format-bytes.ts';
import { objectOf } from './import/fields.ts';

type JsonField = 'claims' | 'metadata.public' | 'metadata.private';

/** Every field that an app stores. */
export type UserDataField = 'externalId' | JsonField;

type Rule = {
  /** Where a caller gives it. */
  readonly at: (given: GivenUserData) => unknown;
  /** The stored form of a value that is not null. */
  readonly write: (value: unknown) => string | null;
  /** Why an import leaves out a value that was refused with this code. */
  readonly refusal: (code: string) => string;
  /** The form of what is stored, for the rows of a backup. */
  readonly form: { readonly name: string; readonly fits: (text: string) => boolean };
};

/** The back end changes these fields, and an import completes them. In the order in which events name them. */
export const userDataRules: Readonly<Record<UserDataField, Rule>> = {
  externalId: {
    at: ({ externalId }) => externalId,
    write: checkedId,
    refusal: () => 'the id is too long or has control characters',
    form: { name: 'an external id', fits: isExternalId },
  },
  claims: { at: ({ claims }) => claims, ...jsonRule('claims', 'claims') },
  'metadata.public': {
    at: ({ metadata }) => (metadata === null ? null : metadata?.public),
    ...jsonRule('metadata.public', 'public metadata'),
  },
  'metadata.private': {
    at: ({ metadata }) => (metadata === null ? null : metadata?.private),
    ...jsonRule('metadata.private', 'private metadata'),
  },
};

function jsonRule(field: JsonField, name: string): Omit<Rule, 'at'> {
  return {
    write: (value) => writeJson(field, value),
    refusal: (code) =>
      code === 'USER_DATA_TOO_LARGE'
        ? `the ${name} are larger than ${userDataLimits[field]} bytes`
        : `the ${name} are no JSON object that can be stored`,
    form: { name: 'an object in JSON', fits: (text) => isUserJson(objectOf(text)) },
  };
}

const userDataFields = Object.keys(userDataRules) as readonly UserDataField[];

/** A value for each field. */
export function eachUserDatum<T>(choose: (field: UserDataField) => T): Readonly<Record<UserDataField, T>> {
  return Object.fromEntries(userDataFields.map((field) => [field, choose(field)])) as Record<UserDataField, T>;
}

/** As it is stored: JSON as compact text. Null where there is none. */
export type UserData = Readonly<Record<UserDataField, string | null>>;

export const noUserData: UserData = eachUserDatum(() => null);

/** A field that is absent stays as it is. */
export type UserDataPatch = Partial<UserData>;

export const userDataLimits: Readonly<Record<JsonField, number>> = {
  claims: 1024,
  'metadata.public': 4096,
  'metadata.private': 4096,
};

export const longestExternalId = 255;
const deepest = 8;

/**
 * The largest body that describes data within the limits, with every letter escaped or indented by two spaces. One byte of compact JSON takes
 * six as \u0061, and at most twelve where it is indented in all levels. So does an emoji of an external id as two escapes. The rest is for
 * names and brackets around them.
 */
export const largestUserDataBody = (() => {
  const data = Object.values(userDataLimits).reduce((sum, limit) => sum + limit, longestExternalId);
  return Math.ceil((12 * data) / 1024) * 1024 + 1024;
})();

/** A change as a caller describes it. Null removes a value; a value replaces the whole one. */
export type GivenUserData = {
  readonly externalId?: string | null;
  readonly claims?: unknown;
  readonly metadata?: { readonly public?: unknown; readonly private?: unknown } | null;
};

/** Throws REQUEST_INVALID or USER_DATA_TOO_LARGE with the name of the field. */
export function readUserData(given: GivenUserData): UserDataPatch {
  const values = userDataFields.map((field) => [field, userDataRules[field].at(given)] as const);
  const known = values.filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([field, value]) => [field, readUserDatum(field, value)]));
}

/** Null removes the value. */
export function readUserDatum(field: UserDataField, value: unknown): string | null {
  return value === null ? null : userDataRules[field].write(value);
}

function checkedId(id: unknown): string {
  if (typeof id !== 'string' || !isExternalId(id)) throw invalid('externalId');
  return id;
}

function isExternalId(text: string): boolean {
  const length = [...text].length;
  return length >= 1 && length <= longestExternalId && isPlain(text) && !/\p{Cc}/u.test(text);
}

/** An empty object is stored as none. */
function writeJson(field: JsonField, value: unknown): string | null {
  if (!isUserJson(value)) throw invalid(field);
  const text = JSON.stringify(value);
  if (text === '{}') return null;
  const limit = userDataLimits[field];
  if (Buffer.byteLength(text) > limit) throw new Failure('USER_DATA_TOO_LARGE', { field, limit: formatBytes(limit) });
  return text;
}

/** Of any size. */
function isUserJson(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value) && isKeepable(value, 1);
}

/**
 * Every reader gets back what was stored: no number that JSON cannot write, no text that UTF-8 or PostgreSQL cannot hold, no name
 * that changes the prototype of an object in JavaScript, and no nesting that a parser may refuse.
 */
function isKeepable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isPlain(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (!isObject(value)) return value === null || typeof value === 'boolean';
  if (depth > deepest) return false;
  return Object.entries(value).every(
    ([name, part]) => name !== '__proto__' && isPlain(name) && isKeepable(part, depth + 1),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function invalid(field: UserDataField): Failure {
  return new Failure('REQUEST_INVALID', { field });
}

export type UserDataChange = {
  readonly userId: UserId;
  readonly patch: UserDataPatch;
  readonly by: Act;
  readonly now: number;
};

type UserDataPlan =
  | { readonly kind: 'taken' }
  /** `event`: undefined if every value is as it was. The event names the fields, and none of their values. */
  | { readonly kind: 'changed'; readonly data: UserData; readonly event: DatedEvent | undefined };

/** `owner`: the user who has the external id of the patch now. */
export function planUserData(
  known: UserData,
  owner: UserId | undefined,
  { userId, patch, by, now }: UserDataChange,
): UserDataPlan {
  if (patch.externalId != null && owner !== undefined && owner !== userId) return { kind: 'taken' };
  const data = { ...known, ...patch };
  const fields = userDataFields.filter((field) => data[field] !== known[field]);
  if (fields.length === 0) return { kind: 'changed', data, event: undefined };
  const detail = { fields: fields.join(', '), ...by };
  return { kind: 'changed', data, event: { kind: 'user.data-changed', userId, detail, now } };
}
