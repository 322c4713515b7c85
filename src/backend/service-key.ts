// Service keys: what the server of an app may do, until when. Only a hash of the secret is stored.
import type { Act, DatedEvent } from '../kernel/audit.ts';
import { isSame, sha256 } from '../kernel/crypto/digest.ts';
import { randomPart, randomText } from '../kernel/crypto/random.ts';
import { findWord } from '../kernel/text/closed-list.ts';

/** Each scope opens the calls that name it in the route table, and no others. */
export const backendScopes = [
  'users:read',
  'users:write',
  'sessions:end',
  'files:read',
  'files:write',
  'events:read',
] as const;

export type BackendScope = (typeof backendScopes)[number];

/** The key of a request, as a handler sees it. */
export type BackendCaller = { readonly keyId: string; readonly scopes: readonly BackendScope[] };

export type ServiceKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly BackendScope[];
  /** “cli”, or the name of the member of staff. */
  readonly createdBy: string;
  readonly createdAt: number;
  /** When it ends, or was revoked. */
  readonly endsAt: number;
  readonly revokedAt: number | undefined;
  readonly lastUsedAt: number | undefined;
};

/** With the hash of its secret, for the check of a request. */
export type StoredServiceKey = ServiceKey & { readonly secretHash: string };

/** A new key, without what it takes over from the key that it replaces. */
type NewKey = {
  readonly id: string;
  readonly secretHash: string;
  readonly endsAt: number;
  readonly by: Act;
  readonly now: number;
};

export type ServiceKeyDraft = NewKey & { readonly name: string; readonly scopes: readonly BackendScope[] };

/** `replaces`: the id of the key whose name and scopes the new one gets. */
export type ServiceKeyRotation = NewKey & { readonly replaces: string };

export type ServiceKeyRevocation = { readonly id: string; readonly by: Act; readonly now: number };

/** “full”: there are as many live keys as there may be. */
export type ServiceKeyCreation = ServiceKey | 'full';

export type ServiceKeyStore = {
  /** Creates the key and its audit event. */
  create(draft: ServiceKeyDraft): Promise<ServiceKeyCreation>;
  /** Creates a key like the old one, which stays as it is. Undefined if there is none, or if it was revoked. */
  rotate(rotation: ServiceKeyRotation): Promise<ServiceKeyCreation | undefined>;
  /** False if there is none, or if it was revoked before. */
  revoke(revocation: ServiceKeyRevocation): Promise<boolean>;
  /** Sets the time of the last use, at most once a minute. */
  touch(use: { id: string; now: number }): Promise<void>;
  /** The keys that are neither ended nor revoked. There are at most `mostLiveKeys`. */
  listLive(now: number): Promise<StoredServiceKey[]>;
  /** Those that end last come first. */
  list(most: number): Promise<ServiceKey[]>;
};

export const longestLifeDays = 365;
export const longestKeyName = 60;

/** A node reads all live keys at once, so their number is limited. */
export const mostLiveKeys = 100;

/** Minimum time between two writes of the last use. */
const touchMilliseconds = 60_000;

const form = /^gks_([A-Za-z0-9-]{12})_([A-Za-z0-9_-]{43})$/;

/** Undefined if the text cannot be a key. */
export function parseServiceKey(text: string): { id: string; secret: string } | undefined {
  const [, id, secret] = form.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** The text is shown once. */
export function makeServiceKey(): { text: string; id: string; secretHash: string } {
  const id = randomPart(6).toString('hex');
  const secret = randomText(32);
  return { text: `gks_${id}_${secret}`, id, secretHash: hashSecret(secret) };
}

/** 256 random bits need no slow hash. */
function hashSecret(secret: string): string {
  return sha256(`service key ${secret}`);
}

export function isSecretOf({ secretHash }: Pick<StoredServiceKey, 'secretHash'>, secret: string): boolean {
  return isSame(hashSecret(secret), secretHash);
}

export const serviceKeyStates = ['live', 'ended', 'revoked'] as const;

type ServiceKeyState = (typeof serviceKeyStates)[number];

type Ends = Pick<ServiceKey, 'revokedAt' | 'endsAt'>;

export function stateOfKey({ revokedAt, endsAt }: Ends, now: number): ServiceKeyState {
  if (revokedAt !== undefined) return 'revoked';
  return now < endsAt ? 'live' : 'ended';
}

export function keyOfDraft({ id, name, scopes, endsAt, by, now, secretHash }: ServiceKeyDraft): StoredServiceKey {
  const createdBy = authorOf(by);
  return {
    id,
    name,
    scopes,
    createdBy,
    createdAt: now,
    endsAt,
    revokedAt: undefined,
    lastUsedAt: undefined,
    secretHash,
  };
}

/** A key that has ended may be replaced: its app may be down because of it. A revoked key may not. */
export function draftOfRotation(old: ServiceKey, { replaces: _, ...rotation }: ServiceKeyRotation) {
  if (old.revokedAt !== undefined) return undefined;
  return { ...rotation, name: old.name, scopes: old.scopes } satisfies ServiceKeyDraft;
}

/** `ends`: the ends of the keys that are not revoked. */
export function isFull(ends: readonly number[], now: number): boolean {
  return ends.filter((end) => end > now).length >= mostLiveKeys;
}

/** A revoked key ends at once, whatever its end was. Undefined if it was revoked before. */
export function revokeKey(key: ServiceKey, now: number): { revokedAt: number; endsAt: number } | undefined {
  return key.revokedAt === undefined ? { revokedAt: now, endsAt: Math.min(key.endsAt, now) } : undefined;
}

/** Undefined if the last use is recent enough. Nodes whose clocks differ never set it back. */
export function useOfKey({ lastUsedAt = 0 }: Pick<ServiceKey, 'lastUsedAt'>, now: number): number | undefined {
  return now - lastUsedAt >= touchMilliseconds ? now : undefined;
}

export function keyCreatedEvent({ id, name, scopes, endsAt, by, now }: ServiceKeyDraft, replaces?: string): DatedEvent {
  const key = { serviceKey: id, name, scopes: scopes.join(' '), endsAt: new Date(endsAt).toISOString() };
  return { kind: 'service-key.created', detail: { ...by, ...key, ...(replaces !== undefined && { replaces }) }, now };
}

export function keyRevokedEvent({ id, name }: ServiceKey, { by, now }: ServiceKeyRevocation): DatedEvent {
  return { kind: 'service-key.revoked', detail: { ...by, serviceKey: id, name }, now };
}

const soonMilliseconds = 14 * 86_400_000;

/** The live keys that end within two weeks, except those that a newer key with the same name and scopes has replaced. */
export function findEndingKeys(keys: readonly ServiceKey[], now: number): ServiceKey[] {
  const live = keys.filter((key) => stateOfKey(key, now) === 'live');
  return live.filter((key) => key.endsAt - now < soonMilliseconds && !isReplaced(key, live));
}

function isReplaced({ name, scopes, endsAt }: ServiceKey, live: readonly ServiceKey[]): boolean {
  return live.some(
    (key) =>
      key.name === name &&
      key.scopes.join() === scopes.join() &&
      key.endsAt > endsAt + soonMilliseconds &&
      key.lastUsedAt !== undefined,
  );
}

/** A scope that only a later version knows opens nothing. */
export function readScopes(text: string): BackendScope[] {
  return text.split(' ').flatMap((word) => findWord(backendScopes, word) ?? []);
}

function authorOf(by: Act): string {
  return by.actor === 'admin' ? by.admin : by.actor;
}
