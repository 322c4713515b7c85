// A session: one row from sign-in to its end, and the rule that judges a refresh token.
import type { Act } from '../kernel/audit.ts';
import { cleanLine } from '../kernel/plain-text.ts';

export type SessionPolicy = {
  readonly idleSeconds: number;
  readonly lifeSeconds: number;
  /** For this long after a rotation, the previous token still returns the same successor. */
  readonly graceSeconds: number;
  readonly perUser: number;
};

export const signInMethods = ['sms', 'link'] as const;

export type SignInMethod = (typeof signInMethods)[number];

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
] as const;

export type SessionEnd = (typeof sessionEnds)[number];

export type Session = {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly userAgent: string | undefined;
};

const longestUserAgent = 300;

/** The client chooses this text, and pages and terminals show it. */
export function cleanUserAgent(text: string): string {
  return cleanLine(text, longestUserAgent);
}

/** A session before the commit that creates it. Only the client holds the seed itself. */
export type SessionDraft = {
  readonly id: string;
  readonly seedHash: string;
  readonly userAgent: string | undefined;
  /** Where the session started. Recorded in the audit event of the sign-in, not in the session row. */
  readonly ip: string;
  readonly method: SignInMethod;
  readonly policy: SessionPolicy;
  readonly now: number;
};

/** Hashes that identify a client, salted with the seed in its tokens. Equal marks mean equal text and reveal nothing else. */
export type ClientMarks = {
  readonly agent: string;
  /** Undefined if the IP address is unknown. */
  readonly network: string | undefined;
};

export type Rotation = {
  readonly sessionId: string;
  readonly seedHash: string;
  readonly counter: number;
  /** Absent if the client is unknown. */
  readonly client?: ClientMarks;
  readonly policy: SessionPolicy;
  readonly now: number;
};

export type RotationOutcome =
  | {
      readonly kind: 'renewed';
      readonly counter: number;
      readonly userId: string;
      readonly method: SignInMethod;
      readonly endsAt: number;
      /** The same successor again, for a client that lost the response. */
      readonly isRepeat: boolean;
    }
  | { readonly kind: 'invalid' | 'expired' | 'reused' | 'ended' };

/** Ends one session of a user, all but that one, or all. */
export type Ending = {
  readonly userId: string;
  readonly sessionId: string;
  readonly scope: 'this' | 'others' | 'all';
  readonly reason: SessionEnd;
  readonly by?: Act;
  readonly now: number;
};

export type SessionStore = {
  /** Atomic: judges the token and increments the counter if the token is the newest. One of several racing calls increments it. */
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  /** Active sessions, most recently used first. */
  listSessions(input: { userId: string; now: number }): Promise<Session[]>;
  /** Ends the sessions in the scope. Returns the ids of those that were active. */
  endSessions(ending: Ending): Promise<string[]>;
  /** Sessions that ended on any node since then. Every node must refuse their access tokens. */
  endedSince(since: number): Promise<{ id: string; endedAt: number }[]>;
};

/** The part of a session that decides a rotation. */
export type RotationState = {
  readonly seedHash: string;
  readonly counter: number;
  readonly rotatedAt: number;
  /** The client that received the newest token. Undefined if it was not recorded. */
  readonly rotatedBy: ClientMarks | undefined;
  readonly expiresAt: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
  readonly endReason: SessionEnd | undefined;
};

/**
 * rotate: the newest token; increment the counter. repeat: the previous token within the grace period; return the same successor,
 * so that a lost response or a second tab does not sign the user out. reused: an older token, or the previous token from a
 * different client; the token was copied, so the session must end.
 */
export function judgeRotation(state: RotationState | undefined, { seedHash, counter, client, policy, now }: Rotation) {
  if (state === undefined) return 'ended';
  if (state.seedHash !== seedHash || counter > state.counter) return 'invalid';
  if (state.endedAt !== null) return state.endReason === 'idle' || state.endReason === 'absolute' ? 'expired' : 'ended';
  if (now >= state.expiresAt || now >= state.endsAt) return 'expired';
  if (counter === state.counter) return 'rotate';
  // A rotation by a node whose clock is ahead has a negative age. It counts as recent.
  const isRecent = now - state.rotatedAt <= policy.graceSeconds * 1000;
  return counter === state.counter - 1 && isRecent && !isOther(client, state.rotatedBy) ? 'repeat' : 'reused';
}

/** Both marks must differ: a client rarely changes its network and its user agent between a lost response and the retry. */
function isOther(client: ClientMarks | undefined, known: ClientMarks | undefined): boolean {
  if (known?.network === undefined || client?.network === undefined) return false;
  return client.agent !== known.agent && client.network !== known.network;
}

/** The text includes its counter. A node of an older version increments the counter without this text, which makes it stale. */
export function writeRotatedBy(counter: number, client: ClientMarks | undefined): string | null {
  return client === undefined ? null : [counter, client.agent, client.network ?? ''].join(' ');
}

export function readRotatedBy(text: string | null, counter: number): ClientMarks | undefined {
  const [at, agent = '', network = ''] = text?.split(' ') ?? [];
  return at === String(counter) ? { agent, network: network === '' ? undefined : network } : undefined;
}
