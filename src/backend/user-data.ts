// What an app stores with a user: its own id, claims for the access token, public and private metadata. The rules of a change.
import type { Act, DatedEvent } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';
import { formatBytes } from '../kernel/text/format-bytes.ts';

const userDataFields = ['externalId', 'claims', 'metadata.public', 'metadata.private'] as const;

export type UserDataField = (typeof userDataFields)[number];

type JsonField = Exclude<UserDataField, 'externalId'>;

/** As it is stored: JSON as compact text. Null where there is none. */
export type UserData = Readonly<Record<UserDataField, string | null>>;

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
export function readUserData({ externalId, claims, metadata }: GivenUserData): UserDataPatch {
  const { public: open, private: secret } = metadata === null ? { public: null, private: null } : (metadata ?? {});
  return {
    ...(externalId !== undefined && { externalId: externalId === null ? null : checkedId(externalId) }),
    ...(claims !== undefined && { claims: writeJson('claims', claims) }),
    ...(open !== undefined && { 'metadata.public': writeJson('metadata.public', open) }),
    ...(secret !== undefined && { 'metadata.private': writeJson('metadata.private', secret) }),
  };
}

function checkedId(id: string): string {
  if (!isExternalId(id)) throw invalid('externalId');
  return id;
}

export function isExternalId(text: string): boolean {
  const length = [...text].length;
  return length >= 1 && length <= longestExternalId && isPlain(text) && !/\p{Cc}/u.test(text);
}

/** An empty object is stored as none. */
function writeJson(field: JsonField, value: unknown): string | null {
  if (value === null) return null;
  if (!isUserJson(value)) throw invalid(field);
  const text = JSON.stringify(value);
  if (text === '{}') return null;
  const limit = userDataLimits[field];
  if (Buffer.byteLength(text) > limit) throw new Failure('USER_DATA_TOO_LARGE', { field, limit: formatBytes(limit) });
  return text;
}

/** Of any size. */
export function isUserJson(value: unknown): value is object {
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
  readonly userId: string;
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
  owner: string | undefined,
  { userId, patch, by, now }: UserDataChange,
): UserDataPlan {
  if (patch.externalId != null && owner !== undefined && owner !== userId) return { kind: 'taken' };
  const data = { ...known, ...patch };
  const fields = userDataFields.filter((field) => data[field] !== known[field]);
  if (fields.length === 0) return { kind: 'changed', data, event: undefined };
  const detail = { fields: fields.join(', '), ...by };
  return { kind: 'changed', data, event: { kind: 'user.data-changed', userId, detail, now } };
}
