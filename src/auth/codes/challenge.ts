// One-time codes: derived, never stored. A challenge is the stored state from which a code is derived again and checked.

import type { Block, LimitRule } from '../../abuse/limits.ts';
import { hmacSha256, isSame, readKey, sha256, writeKey } from '../../kernel/crypto/digest.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import type { Refusal } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { EmailKey, PhoneNumber } from '../../kernel/recipient.ts';
import type { CodeSource, OtpPurpose } from '../../messages/message-kinds.ts';

export type OtpPolicy = {
  /** From the latest send. */
  readonly lifeSeconds: number;
  /** From the first send. */
  readonly capSeconds: number;
  readonly attempts: number;
  /** Wrong codes for one recipient over all challenges. */
  readonly failuresPerRecipient: readonly LimitRule[];
  /** Wrong codes from one caller over all recipients. */
  readonly failuresPerCaller: readonly LimitRule[];
};

/** A recipient with a fixed code, for tests and app store reviewers. The service never sends it a message. */
export type TestRecipient = { readonly recipient: string; readonly code: string; readonly until: number };

export const challengeStates = ['pending', 'consumed', 'phantom'] as const;

/**
 * pending: a code was sent. consumed: the code was used. phantom: no code was requested, but guesses are counted all the same, so
 * that a reply never reveals whether a code was sent.
 */
export type Challenge = {
  readonly id: string;
  readonly nonce: string;
  readonly secretId: string;
  readonly state: (typeof challengeStates)[number];
  /** Attempts without a valid ask token. */
  readonly attempts: number;
  /** Attempts with a valid ask token. Strangers cannot use these up. */
  readonly askerAttempts: number;
  /** Attempts on a known device. Neither strangers nor askers can use these up. */
  readonly deviceAttempts: number;
  readonly openedAt: number;
  /** When the latest message with the code was requested. Undefined if none was, or by an older version. */
  readonly sentAt?: number;
  readonly expiresAt: number;
};

/** Random values for a new challenge. The caller always supplies them; they are used only if a challenge is opened. */
export type ChallengeSeed = CodeSource['challenge'];

/** A seed for a send. The send may reuse a challenge that is still open. */
export type ChallengeOffer = ChallengeSeed & {
  /** Ids of the secrets that can still derive a code. If absent, a challenge of any secret is reused. */
  readonly secretIds?: readonly string[];
};

type RecipientOf<Purpose> = Purpose extends PhoneSubject['purpose'] ? PhoneNumber : EmailKey;

/** The key of the one challenge for (purpose, recipient[, user]). */
export function challengeSlot<Purpose extends OtpPurpose>(
  purpose: Purpose,
  recipient: RecipientOf<Purpose>,
  userId: UserId | '' = '',
): string {
  return [purpose, sha256(`${recipient} ${userId}`)].join(':');
}

/** How long after its end a right code is still recognised as expired, not wrong. */
const keptSeconds = 3600;

/** When a challenge may be forgotten. */
export function challengeKeptUntil({ expiresAt }: Pick<Challenge, 'expiresAt'>): number {
  return expiresAt + keptSeconds * 1000;
}

/** A send during the life of a challenge repeats its code and shares its attempts. Otherwise it opens a new challenge. */
export function openChallenge(
  known: Challenge | undefined,
  { secretIds, ...seed }: ChallengeOffer,
  policy: OtpPolicy,
  now: number,
): Challenge {
  const alive =
    known?.state === 'pending' &&
    known.attempts < policy.attempts &&
    known.askerAttempts < policy.attempts &&
    known.deviceAttempts < policy.attempts &&
    now < known.expiresAt &&
    now >= known.openedAt - 60_000 &&
    (secretIds === undefined || secretIds.includes(known.secretId));
  const expiresAt = now + policy.lifeSeconds * 1000;
  if (!alive) return { ...seed, ...noAttempts, state: 'pending', openedAt: now, sentAt: now, expiresAt };
  return { ...known, sentAt: now, expiresAt: Math.min(expiresAt, known.openedAt + policy.capSeconds * 1000) };
}

/** The counter to which an attempt is added. */
type Count = 'attempts' | 'askerAttempts' | 'deviceAttempts';

const noAttempts: Readonly<Record<Count, number>> = { attempts: 0, askerAttempts: 0, deviceAttempts: 0 };

function countOf({ asker, device }: CodeAttempt): Count {
  if (device !== undefined) return 'deviceAttempts';
  return asker === undefined ? 'attempts' : 'askerAttempts';
}

/** The challenge with one more attempt counted; undefined if no attempt is left. */
function countAttempt(
  known: Challenge | undefined,
  { seed, policy, now }: CodeAttempt,
  count: Count,
): Challenge | undefined {
  const current = known === undefined || isGone(known, policy, now, count) ? phantom(seed, policy, now) : known;
  return current[count] < policy.attempts ? { ...current, [count]: current[count] + 1 } : undefined;
}

/** Consumed, or expired without a code that could still be proved. Every further attempt is a guess. */
function isGone(challenge: Challenge, policy: OtpPolicy, now: number, count: Count): boolean {
  if (challenge.state === 'consumed') return true;
  return now >= challenge.expiresAt && (challenge.state === 'phantom' || challenge[count] >= policy.attempts);
}

function phantom(seed: ChallengeSeed, policy: OtpPolicy, now: number): Challenge {
  const expiresAt = now + policy.lifeSeconds * 1000;
  return { ...seed, ...noAttempts, state: 'phantom', openedAt: now, expiresAt };
}

type SubjectOf<Purpose, To> = { readonly purpose: Purpose; readonly recipient: To; readonly userId?: UserId };

export type PhoneSubject = SubjectOf<'phone-login' | 'proof-phone' | 'phone-change', PhoneNumber>;
type MailSubject = SubjectOf<'email-binding' | 'proof-email', EmailKey>;
export type CodeSubject = PhoneSubject | MailSubject;

/** The keys that may have derived a code, with the ids of their secrets. */
type CodeKeys = readonly (readonly [secretId: string, key: string])[];

export function codeKeys(secrets: Secrets): CodeKeys {
  const keys: [secretId: string, key: string][] = [];
  for (const id of secrets.ids) {
    const key = secrets.findKey('one-time code', id);
    if (key !== undefined) keys.push([id, writeKey(key)]);
  }
  return keys;
}

/** Six digits, uniform to 4 parts in 10^9. Undefined if the secret of the challenge is no longer configured. */
export function deriveCode(keys: CodeKeys, challenge: ChallengeSeed, subject: CodeSubject): string | undefined {
  const key = keys.find(([id]) => id === challenge.secretId)?.[1];
  if (key === undefined) return undefined;
  const text = [challenge.id, challenge.nonce, subject.purpose, subject.recipient, subject.userId ?? ''].join('\n');
  return String(hmacSha256(readKey(key), text).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** A submitted code, with everything that one commit needs to count, check and consume it. */
export type CodeAttempt = {
  readonly slot: string;
  /** Which counters of wrong codes the recipient has. */
  readonly budget: string;
  /** Canonical IP address. */
  readonly caller: string;
  /** Id from the caller's ask token. Undefined if the caller has no valid one. */
  readonly asker?: string | undefined;
  /** Id of the caller's device, if the recipient signed in on it before. */
  readonly device?: string | undefined;
  /** For the phantom that counts attempts if no challenge is open. */
  readonly seed: ChallengeSeed;
  readonly subject: CodeSubject;
  readonly given: string;
  /** The fixed code of a test recipient. */
  readonly fixed?: string | undefined;
  readonly keys: CodeKeys;
  readonly policy: OtpPolicy;
  /** Of the mark by which audit events name the recipient. */
  readonly markKey: string;
  readonly now: number;
};

/** lost: the code was right, but another request consumed it first. */
export type UnprovedAttempt =
  | { readonly kind: 'lost' }
  | ({ readonly kind: 'refused' } & Refusal<'OTP_INVALID' | 'OTP_EXPIRED' | 'OTP_ATTEMPTS_EXCEEDED' | 'RATE_LIMITED'>);

/** proved: the code was right, and this attempt consumed it. */
export type AttemptOutcome = { readonly kind: 'proved' } | UnprovedAttempt;

export type JudgedAttempt = {
  readonly outcome: AttemptOutcome;
  /** Must be saved before the outcome is returned to the caller. Absent if no attempt was left. */
  readonly challenge?: Challenge;
};

/** Counts the attempt, then compares. Derives a code even if none was sent, so that both cases take the same time. */
export function judgeAttempt(known: Challenge | undefined, attempt: CodeAttempt): JudgedAttempt {
  const { seed, policy, now } = attempt;
  const count = countOf(attempt);
  const counted = countAttempt(known, attempt, count);
  const right = attempt.fixed ?? deriveCode(attempt.keys, known ?? seed, attempt.subject);
  const isRight = isSame(right ?? '------', attempt.given);
  // The full life of a code: the remaining life of this one would reveal that it was sent, and when.
  if (counted === undefined) return { outcome: refuseUntil(policy.lifeSeconds) };
  if (isRight && known?.state === 'consumed') return { challenge: counted, outcome: { kind: 'lost' } };
  if (!isRight || counted.state !== 'pending') {
    const detail = { left: policy.attempts - counted[count] };
    return { challenge: counted, outcome: { kind: 'refused', code: 'OTP_INVALID', detail } };
  }
  if (now >= counted.expiresAt)
    return { challenge: counted, outcome: { kind: 'refused', code: 'OTP_EXPIRED', detail: {} } };
  return { challenge: { ...counted, state: 'consumed' }, outcome: { kind: 'proved' } };
}

export function refuseUntil(seconds: number): AttemptOutcome {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  return { kind: 'refused', code: 'OTP_ATTEMPTS_EXCEEDED', detail: { retryAfterSeconds } };
}

/** For a caller with too many wrong codes over all recipients. */
export function refuseCaller({ rule, retryAfterSeconds }: Block): AttemptOutcome {
  const limit = { quota: rule.count, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
  const detail = { retryAfterSeconds, policy: { name: 'attempts-per-ip' as const, ...limit } };
  return { kind: 'refused', code: 'RATE_LIMITED', detail };
}

/** Removes spaces and dashes, and converts digits of other scripts to ASCII. */
export function normaliseCode(text: string): string {
  if (/^\d*$/.test(text)) return text;
  return text.replaceAll(/[\s\u00a0\u200e\u200f\-–—]/g, '').replaceAll(/[^\P{Nd}0-9]/gu, asciiDigit);
}

/** The digits of a script are ten consecutive code points. Some scripts follow another without a gap. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}
