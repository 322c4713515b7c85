// The user directory for staff and the back ends of apps: user records with the blocked state, search queries and actions.

import type { Act, AuditKind, DatedEvent } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import { readUserId, type UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';
import { isFullNumber } from '../identity/phone-number.ts';
import { resumeAfterBlock } from '../identity/scheduled-phone.ts';
import type { User } from '../identity/user.ts';
import type { SessionEnd } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';

export type UserRecord = User & {
  readonly blockedAt: number | undefined;
  /** The id that the app gave the user. */
  readonly externalId: string | undefined;
  /** What the app puts into the access token. Empty if it has stored none. */
  readonly claims: JsonObject;
};

/** As the back end of an app sees them: with all that the app stores. */
export type BackendUser = UserRecord & {
  /** Only the back end of the app reads it. Empty if the app has stored none. */
  readonly privateMetadata: JsonObject;
  /** The last sign-in or refresh, as far as it is recorded. */
  readonly lastSeenAt: number;
};

/** What a user is found by. Staff may search for a text that is no address: it finds nobody. */
type UserWanted =
  | { readonly by: 'id'; readonly text: UserId }
  | { readonly by: 'phone'; readonly text: PhoneNumber }
  | { readonly by: 'email' | 'phone end' | 'nothing'; readonly text: string };

export type UserQuery = UserWanted & {
  readonly most: number;
  /** Only users with a smaller id. For paging: the last id of the previous page. */
  readonly before?: string;
};

export type UserAct = {
  readonly userId: UserId;
  readonly act: 'block' | 'unblock' | 'sign out';
  readonly by: Act;
  readonly now: number;
};

export type UserDirectory = {
  /** Newest first, by creation time. */
  searchUsers(query: UserQuery): Promise<UserRecord[]>;
  /** Blocking ends every session in the same commit. Returns the ids of the ended sessions; undefined if there is no such user. */
  actOn(input: UserAct): Promise<readonly SessionId[] | undefined>;
  /** When the user signed in or refreshed a token last, as far as it is recorded. Undefined if there is no such user. */
  findLastUse(userId: UserId): Promise<number | undefined>;
};

type ActRule = {
  readonly kind: Extract<AuditKind, 'user.blocked' | 'user.unblocked' | 'user.signed-out'>;
  /** Why the user's sessions end; undefined where they go on. */
  readonly end: SessionEnd | undefined;
  /** Since when the user is blocked after the act. */
  readonly blockedAt: (known: number | undefined, now: number) => number | undefined;
};

const actRules: Readonly<Record<UserAct['act'], ActRule>> = {
  block: { kind: 'user.blocked', end: 'blocked', blockedAt: (known, now) => known ?? now },
  unblock: { kind: 'user.unblocked', end: undefined, blockedAt: () => undefined },
  'sign out': { kind: 'user.signed-out', end: 'revoked', blockedAt: (known) => known },
};

/** When a scheduled change of the number takes effect after the act: the wait goes on when a block ends. */
export function delayPhoneChange(
  effectiveAt: number | undefined,
  blockedAt: number | undefined,
  { act, now }: Pick<UserAct, 'act' | 'now'>,
): number | undefined {
  if (act !== 'unblock' || effectiveAt === undefined || blockedAt === undefined) return effectiveAt;
  return resumeAfterBlock(effectiveAt, blockedAt, now);
}

type ActPlan = Pick<ActRule, 'end'> & {
  readonly blockedAt: number | undefined;
  /** By how many sessions the act ended. None if nothing changed: an app that repeats an act because of its event must not loop. */
  readonly eventsOf: (sessions: number) => DatedEvent[];
};

/** What an act makes of a user. A second block keeps the time of the first. */
export function planAct(before: number | undefined, { userId, act, by, now }: UserAct): ActPlan {
  const { kind, end, blockedAt: next } = actRules[act];
  const blockedAt = next(before, now);
  const event: DatedEvent = { kind, userId, detail: { ...by }, now };
  return { blockedAt, end, eventsOf: (sessions) => (blockedAt === before && sessions === 0 ? [] : [event]) };
}

const fewestDigits = 3;

/** Accepts an id, a full phone number with plus, its last digits, or an e-mail address. Empty text lists the newest users. */
export function parseUserQuery(text: string, most: number): UserQuery {
  const plain = text.trim();
  if (plain === '') return { by: 'nothing', text: plain, most };
  const id = readUserId(plain);
  if (id !== undefined) return { by: 'id', text: id, most };
  if (plain.includes('@')) return { by: 'email', text: plain.normalize('NFC').toLowerCase(), most };
  const number = plain.replaceAll(/[\s\-.()]/g, '');
  if (/^\+\d{8,18}$/.test(number) && isFullNumber(number)) return { by: 'phone', text: number, most };
  if (/^\d+$/.test(number) && number.length >= fewestDigits) return { by: 'phone end', text: number, most };
  throw new Failure('REQUEST_INVALID', { field: 'who' });
}

/** Names the user as the caller did, if that is an id or looks like one. Anything else may be a number or an address. */
export function noSuchUser(id?: string): Failure {
  return new Failure('NOT_FOUND', { user: id !== undefined && /^[\w-]{1,64}$/.test(id) ? id : 'unnamed' });
}

/** As it is stored. An id that is malformed is answered like an unknown one. */
export function parseUserId(text: string): UserId {
  const id = readUserId(text);
  if (id === undefined) throw noSuchUser(text);
  return id;
}
