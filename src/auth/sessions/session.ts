// A session: one row from sign-in to its end, and the rule that judges a refresh token.

import type { Act } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';
import { cleanLine } from '../../kernel/text/plain-text.ts';
import { countLateRepeat, type LateRepeat } from './late-repeat.ts';
import { type ClientMarks, mayRepeat, type RecordedClient } from './rotation-client.ts';
import type { SessionId } from './session-id.ts';

export type SessionPolicy = {
  readonly idleSeconds: number;
  readonly lifeSeconds: number;
  /** For this long after a rotation, the previous token returns the same successor to every client that is not clearly another one. */
  readonly graceSeconds: number;
  readonly perUser: number;
};

export const signInMethods = ['sms', 'link'] as const;

export type SignInMethod = (typeof signInMethods)[number];

/** How the user of a session was last proved: as at a sign-in, or by a code to the e-mail address. */
export const proofMethods = [...signInMethods, 'email'] as const;

export type ProofMethod = (typeof proofMethods)[number];

/** When and how a session was last proved. A sign-in proves it; a refresh never does. */
export type LastProof = { readonly proof: ProofMethod; readonly provedAt: number };

/** Why a session ended. The store keeps these values. */
export const sessionEnds = [
  'logged out',
  'revoked',
  'reused',
  'idle',
  'absolute',
  'evicted',
  'account deleted',
  'blocked',
  'not me',
  'phone changed',
] as const;

export type SessionEnd = (typeof sessionEnds)[number];

export type Session = LastProof & {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly userAgent: string | undefined;
  /** The app that the session belongs to. Undefined for a session of this service. */
  readonly appId: string | undefined;
};

/** What a session of an app may do. */
export type SessionApp = { readonly id: string; readonly scopes: readonly string[] };

const longestUserAgent = 300;

/** The client chooses this text, and pages and terminals show it. */
export function cleanUserAgent(text: string): string {
  return cleanLine(text, longestUserAgent);
}

/** A session before the commit that creates it. Only the client holds the seed itself. */
export type SessionDraft = {
  readonly id: SessionId;
  readonly seedHash: string;
  readonly userAgent: string | undefined;
  /** Where the session started. Recorded in the audit event of the sign-in, not in the session row. */
  readonly ip: string;
  readonly method: SignInMethod;
  readonly policy: SessionPolicy;
  readonly now: number;
};

export type Rotation = {
  readonly sessionId: SessionId;
  readonly seedHash: string;
  readonly counter: number;
  /** Absent if the client is unknown. */
  readonly client?: ClientMarks;
  /** The app that presents the token. Absent if a client of this service does: neither can use a token of the other. */
  readonly appId?: string;
  /** What the app asks for, if not for all that its session has. */
  readonly scopes?: readonly string[];
  readonly policy: SessionPolicy;
  readonly now: number;
};

/** A rotation without a refresh token. `seedHash` is of a new seed: from then on, every token with the old one is refused. */
export type Reseeding = Omit<Rotation, 'counter'> & { readonly counter: undefined };

/** repeated: the same successor again, for a client that lost the response. repeated late: after the grace period. */
export type Renewal = 'rotated' | 'repeated' | 'repeated late';

/** What the token pair after a rotation needs. */
type RenewedSession = LastProof & {
  readonly kind: 'renewed';
  readonly counter: number;
  readonly userId: UserId;
  readonly endsAt: number;
  readonly claims: JsonObject;
  readonly renewal: Renewal;
  /** Of the session of an app. Absent for a session of this service. */
  readonly scopes?: readonly string[];
};

/** too wide: the session lacks a scope that the app asks for. Nothing is consumed. */
export type RotationOutcome =
  | RenewedSession
  | { readonly kind: 'invalid' | 'expired' | 'ended' | 'too wide' }
  /** `ended`: ids of the sessions of apps that ended with it, if there are any. */
  | { readonly kind: 'reused'; readonly ended?: readonly SessionId[] };

/** Ends one session of a user, all but that one, or all. */
export type Ending = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly scope: 'this' | 'others' | 'all';
  readonly reason: SessionEnd;
  readonly by?: Act;
  readonly now: number;
};

export type SessionStore = {
  /** Atomic: judges the token and increments the counter if the token is the newest. One of several racing calls increments it. */
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  /** Active sessions, most recently used first. */
  listSessions(input: { userId: UserId; now: number }): Promise<Session[]>;
  /** Ends the sessions in the scope. Returns the ids of those that were active. */
  endSessions(ending: Ending): Promise<SessionId[]>;
  /** Sessions that ended on any node since then. Every node must refuse their access tokens. */
  endedSince(since: number): Promise<{ id: SessionId; endedAt: number }[]>;
};

/** The part of a session that decides a rotation. */
export type RotationState = {
  readonly seedHash: string;
  readonly counter: number;
  readonly rotatedAt: number;
  /** The client that received the newest token. Undefined if it was not recorded. */
  readonly rotatedBy: RecordedClient | undefined;
  readonly lateRepeats: readonly LateRepeat[];
  readonly expiresAt: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
  readonly endReason: SessionEnd | undefined;
  /** Absent for a session of this service. */
  readonly app?: SessionApp;
};

type Verdict =
  | { readonly kind: 'invalid' | 'ended' | 'expired' | 'reused' | 'too wide' | 'rotate' | 'repeat' }
  | { readonly kind: 'repeat late'; readonly lateRepeats: readonly LateRepeat[] };

/**
 * rotate: the newest token; increment the counter. repeat: the previous token within the grace period, whose successor was never
 * used; return the same successor, so that a lost response or a second tab does not sign the user out. repeat late: the same after the
 * grace period, for the same device, for few rotations a day; a response may be lost for a night. reused: an older token, the previous
 * token from a different client, or too many late repeats; the token was copied, so the session must end. too wide: a token that is
 * good, but not for these scopes.
 */
export function judgeRotation(state: RotationState | undefined, rotation: Rotation): Verdict {
  const { seedHash, counter, client, appId, scopes, policy, now } = rotation;
  if (state === undefined) return { kind: 'ended' };
  if (state.app?.id !== appId || state.seedHash !== seedHash || counter > state.counter) return { kind: 'invalid' };
  if (state.endedAt !== null)
    return { kind: state.endReason === 'idle' || state.endReason === 'absolute' ? 'expired' : 'ended' };
  if (now >= state.expiresAt || now >= state.endsAt) return { kind: 'expired' };
  const isWithin = scopes?.every((scope) => state.app?.scopes.includes(scope)) ?? true;
  if (counter === state.counter) return { kind: isWithin ? 'rotate' : 'too wide' };
  // A rotation by a node whose clock is ahead has a negative age. It counts as recent.
  const isLate = now - state.rotatedAt > policy.graceSeconds * 1000;
  if (counter < state.counter - 1 || !mayRepeat(client, state.rotatedBy, { isLate })) return { kind: 'reused' };
  const lateRepeats = isLate ? countLateRepeat(state.lateRepeats, { rotatedAt: state.rotatedAt, now }) : [];
  if (lateRepeats === undefined) return { kind: 'reused' };
  if (!isWithin) return { kind: 'too wide' };
  return isLate ? { kind: 'repeat late', lateRepeats } : { kind: 'repeat' };
}
