// A member of the support staff: let in for some hours by a link from the command line, apart from all users' sign-ins.
import type { Act, AuditKind, DatedEvent } from '../kernel/audit.ts';
import { sha256 } from '../kernel/digest.ts';
import { Failure } from '../kernel/failure.ts';
import { cleanLine } from '../kernel/plain-text.ts';

export type Admin = { readonly id: string; readonly name: string; readonly endsAt: number };

/** How a sign-in ended before its time. Kept in the store in these words. */
export const adminEnds = ['left', 'revoked'] as const;

export type AdminEnd = (typeof adminEnds)[number];

/** A sign-in as the store keeps it; of link and cookie it knows the hashes alone. */
export type AdminRecord = Admin & {
  readonly createdAt: number;
  /** The link works once, and until then. */
  readonly linkEndsAt: number;
  /** Undefined where the link was not used yet. */
  readonly lastUsedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Undefined where it has not ended, or for a reason of a later version. */
  readonly endReason: AdminEnd | undefined;
};

export type AdminDraft = Omit<AdminRecord, 'lastUsedAt' | 'endedAt' | 'endReason'> & { readonly linkHash: string };

export type AdminStore = {
  issue(draft: AdminDraft): Promise<void>;
  /** Of any number of racing calls with one link exactly one gets in. */
  enter(input: { linkHash: string; sessionHash: string; now: number }): Promise<Admin | undefined>;
  find(sessionHash: string): Promise<AdminRecord | undefined>;
  touch(input: { id: string; now: number }): Promise<void>;
  /** False where there is none, or it has ended. */
  end(ending: AdminEnding): Promise<boolean>;
  /** Newest first. */
  list(most: number): Promise<AdminRecord[]>;
  /** Whether any was ever issued, as far as the store remembers. */
  hasAny(): Promise<boolean>;
};

export const adminPolicy = {
  idleSeconds: 30 * 60,
  linkSeconds: 60 * 60,
  usualLifeSeconds: 8 * 3600,
  longestLifeSeconds: 24 * 3600,
} as const;

export type AdminState = 'waiting' | 'active' | 'idle' | 'expired' | 'left' | 'revoked';

export function stateOf({ lastUsedAt, linkEndsAt, endsAt, endedAt, endReason }: AdminRecord, now: number): AdminState {
  if (endedAt !== undefined) return endReason ?? 'revoked';
  if (now >= endsAt) return 'expired';
  if (lastUsedAt === undefined) return now < linkEndsAt ? 'waiting' : 'expired';
  return now - lastUsedAt < adminPolicy.idleSeconds * 1000 ? 'active' : 'idle';
}

/** The link works once, before its end, unless the sign-in was revoked. */
export function canEnter(record: AdminRecord, now: number): boolean {
  return stateOf(record, now) === 'waiting';
}

/** A sign-in that expired may still be revoked; one that was ended stays as it ended. */
export function canEnd({ endedAt }: AdminRecord): boolean {
  return endedAt === undefined;
}

/** Nodes whose clocks differ never set the time of use back. */
export function usedAt({ lastUsedAt = 0 }: AdminRecord, now: number): number {
  return Math.max(now, lastUsedAt);
}

export function enteredEvent({ id, name }: Admin, now: number): DatedEvent {
  return { kind: 'admin.entered', detail: { actor: 'admin', admin: name, token: id }, now };
}

const endKinds = { left: 'admin.left', revoked: 'admin.revoked' } as const satisfies Readonly<
  Record<AdminEnd, AuditKind>
>;

export type AdminEnding = {
  readonly id: string;
  readonly reason: AdminEnd;
  /** Left out where the staff member ends their own sign-in. */
  readonly by?: Act;
  readonly now: number;
};

export function adminEndedEvent({ id, name }: Admin, { reason, by, now }: AdminEnding): DatedEvent {
  const who = { admin: name, token: id };
  return { kind: endKinds[reason], detail: by === undefined ? { actor: 'admin', ...who } : { ...by, ...who }, now };
}

export function hashAdminToken(token: string): string {
  return sha256(`admin ${token}`);
}

/** 32 random bytes, as `randomText` writes them. */
export function isAdminToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

const longestReason = 200;

/** Everything that is done to others asks for a reason, and is written down with the name. */
export function actOf({ id, name }: Admin, reason: string): Act {
  const why = cleanReason(reason);
  if (why === '') throw new Failure('REQUEST_INVALID', { field: 'reason' });
  return { actor: 'admin', admin: name, token: id, why };
}

export function cleanReason(text: string): string {
  return cleanLine(text, longestReason);
}
