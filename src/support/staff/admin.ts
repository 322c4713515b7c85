// A sign-in of a staff member: starts with a link from the command line, lasts some hours, and is separate from user sign-ins.
import { type Act, type AuditKind, cleanReason, type DatedEvent } from '../../kernel/audit.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { Failure } from '../../kernel/failure.ts';
import type { StaffRole } from './staff-role.ts';

export type Admin = {
  readonly id: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly endsAt: number;
};

/** How a sign-in ended before it expired. The store keeps these values. */
export const adminEnds = ['left', 'revoked'] as const;

export type AdminEnd = (typeof adminEnds)[number];

/** A stored sign-in. The store keeps only hashes of the link and the cookie. */
export type AdminRecord = Admin & {
  readonly createdAt: number;
  /** The link works once, and only before this time. */
  readonly linkEndsAt: number;
  /** Undefined if the link has not been used yet. */
  readonly lastUsedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Undefined if it has not ended, or if a later version wrote the reason. */
  readonly endReason: AdminEnd | undefined;
};

export type AdminDraft = Omit<AdminRecord, 'lastUsedAt' | 'endedAt' | 'endReason'> & { readonly linkHash: string };

export type AdminStore = {
  issue(draft: AdminDraft): Promise<void>;
  /** Atomic: one of several racing calls with the same link succeeds. */
  enter(input: { linkHash: string; sessionHash: string; now: number }): Promise<Admin | undefined>;
  find(sessionHash: string): Promise<AdminRecord | undefined>;
  touch(input: { id: string; now: number }): Promise<void>;
  /** False if there is none, or if it has already ended. */
  end(ending: AdminEnding): Promise<boolean>;
  /** Newest first. */
  list(most: number): Promise<AdminRecord[]>;
  /** Whether the store holds any sign-in, active or ended. */
  hasAny(): Promise<boolean>;
};

export const adminPolicy = {
  idleSeconds: 30 * 60,
  linkSeconds: 60 * 60,
  usualLifeSeconds: 8 * 3600,
  longestLifeSeconds: 24 * 3600,
} as const;

type AdminState = 'waiting' | 'active' | 'idle' | 'expired' | 'left' | 'revoked';

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

export function issuedEvent({ id, name, role, createdAt }: AdminDraft): DatedEvent {
  return { kind: 'admin.issued', detail: { actor: 'cli', admin: name, role, token: id }, now: createdAt };
}

export function enteredEvent({ id, name, role }: Admin, now: number): DatedEvent {
  return { kind: 'admin.entered', detail: { actor: 'admin', admin: name, role, token: id }, now };
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

/** Every action on a user needs a reason. The audit event records it with the name of the staff member. */
export function actOf({ id, name }: Admin, reason: string): Act {
  const why = cleanReason(reason);
  if (why === '') throw new Failure('REQUEST_INVALID', { field: 'reason' });
  return { actor: 'admin', admin: name, token: id, why };
}
