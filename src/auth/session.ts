// A session: one row from sign-in to end, however often its tokens are renewed; and the rule that judges a presented refresh token.
import type { Act } from '../kernel/audit.ts';
import { cleanLine } from '../kernel/plain-text.ts';

export type SessionPolicy = {
  readonly idleSeconds: number;
  readonly lifeSeconds: number;
  /** So long after a rotation the previous token still gets the same successor. */
  readonly graceSeconds: number;
  readonly perUser: number;
};

export const signInMethods = ['sms', 'link'] as const;

export type SignInMethod = (typeof signInMethods)[number];

/** Why a session ended. Kept in the store in these words. */
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

/** Shown on pages and terminals, and written by whoever signs in. */
export function cleanUserAgent(text: string): string {
  return cleanLine(text, longestUserAgent);
}

/** What a sign-in wants to begin. The seed itself is held by the client alone. */
export type SessionDraft = {
  readonly id: string;
  readonly seedHash: string;
  readonly userAgent: string | undefined;
  /** Where it was begun; written down with the sign-in, not with the session. */
  readonly ip: string;
  readonly method: SignInMethod;
  readonly policy: SessionPolicy;
  readonly now: number;
};

/** Marks of a client, made with the seed that only its tokens carry: equal marks mean an equal text, and tell nothing else. */
export type ClientMarks = {
  readonly agent: string;
  /** Undefined where the address is not known. */
  readonly network: string | undefined;
};

export type Rotation = {
  readonly sessionId: string;
  readonly seedHash: string;
  readonly counter: number;
  /** Left out where nothing is known of it. */
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
      /** The same successor again, to whoever lost the answer. */
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
  /** Judges and, where the token is the newest, raises the counter: of any number of racing calls one raises it. */
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  /** Those that are alive, most recently used first. */
  listSessions(input: { userId: string; now: number }): Promise<Session[]>;
  /** Ends the user's sessions that the scope names; gives the ids of those that were alive. */
  endSessions(ending: Ending): Promise<string[]>;
  /** Sessions that ended since then, whoever ended them: what every node must refuse. */
  endedSince(since: number): Promise<{ id: string; endedAt: number }[]>;
};

/** The part of a session that a rotation is judged by. */
export type RotationState = {
  readonly seedHash: string;
  readonly counter: number;
  readonly rotatedAt: number;
  /** Who made the newest token theirs; undefined where that was not written down. */
  readonly rotatedBy: ClientMarks | undefined;
  readonly expiresAt: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
  readonly endReason: SessionEnd | undefined;
};

/**
 * rotate: the newest token, raise the counter. repeat: the one before it, within the grace: the same successor again, so that a
 * lost answer or a second tab signs nobody out. reused: an older one, or the one before from clearly another client: someone else
 * holds a copy, the session must end.
 */
export function judgeRotation(state: RotationState | undefined, { seedHash, counter, client, policy, now }: Rotation) {
  if (state === undefined) return 'ended';
  if (state.seedHash !== seedHash || counter > state.counter) return 'invalid';
  if (state.endedAt !== null) return state.endReason === 'idle' || state.endReason === 'absolute' ? 'expired' : 'ended';
  if (now >= state.expiresAt || now >= state.endsAt) return 'expired';
  if (counter === state.counter) return 'rotate';
  // A rotation from a node whose clock runs ahead has a negative age: it is recent, not old.
  const isRecent = now - state.rotatedAt <= policy.graceSeconds * 1000;
  return counter === state.counter - 1 && isRecent && !isOther(client, state.rotatedBy) ? 'repeat' : 'reused';
}

/** In both: a phone changes its network and a browser its version, but hardly both between an answer that is lost and its repeat. */
function isOther(client: ClientMarks | undefined, known: ClientMarks | undefined): boolean {
  if (known?.network === undefined || client?.network === undefined) return false;
  return client.agent !== known.agent && client.network !== known.network;
}

/** As text beside the counter that it belongs to: a node that does not know of it raises the counter and leaves it behind. */
export function writeRotatedBy(counter: number, client: ClientMarks | undefined): string | null {
  return client === undefined ? null : [counter, client.agent, client.network ?? ''].join(' ');
}

export function readRotatedBy(text: string | null, counter: number): ClientMarks | undefined {
  const [at, agent = '', network = ''] = text?.split(' ') ?? [];
  return at === String(counter) ? { agent, network: network === '' ? undefined : network } : undefined;
}
