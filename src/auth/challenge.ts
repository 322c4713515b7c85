// One-time codes: derived, never stored. A challenge is what must be remembered so that a code can be derived again and judged.
import type { Block, LimitRule } from '../abuse/limits.ts';
import type { AuditDetail } from '../kernel/audit.ts';
import { hmacSha256, isSame, sha256 } from '../kernel/digest.ts';
import type { FailureCode, FailureDetail } from '../kernel/failure.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { CodeSource, OtpPurpose } from '../messages/message-kinds.ts';

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

/** A recipient with a fixed code, for tests and store reviewers; nothing is ever sent to it. */
export type TestRecipient = { readonly recipient: string; readonly code: string; readonly until: number };

export const challengeStates = ['pending', 'consumed', 'phantom'] as const;

/**
 * pending: a code is out. consumed: it was used. phantom: nobody asked for a code, but guesses are counted all the same, so that
 * an answer never tells whether a code is out.
 */
export type Challenge = {
  readonly id: string;
  readonly nonce: string;
  readonly secretId: string;
  readonly state: (typeof challengeStates)[number];
  /** Of strangers. */
  readonly attempts: number;
  /** Of those who asked for the code: nobody else can use these up. */
  readonly askerAttempts: number;
  readonly openedAt: number;
  readonly expiresAt: number;
};

/** What a new challenge would be made of; drawn by the caller, used only if one is opened. */
export type ChallengeSeed = CodeSource['challenge'];

/** A seed for a send, which may find a challenge open. */
export type ChallengeOffer = ChallengeSeed & {
  /** Secrets under which a code can be derived; left out: whichever a challenge was made under. */
  readonly secretIds?: readonly string[];
};

/** Where the one challenge for (purpose, recipient[, user]) is kept. */
export function challengeSlot(purpose: OtpPurpose, recipient: string, userId = ''): string {
  return `${purpose}:${sha256(`${recipient} ${userId}`)}`;
}

/** So long after its end a right code is still told apart from a wrong one. */
const keptSeconds = 3600;

/** When a challenge may be forgotten. */
export function challengeKeptUntil({ expiresAt }: Pick<Challenge, 'expiresAt'>): number {
  return expiresAt + keptSeconds * 1000;
}

export function failuresId(recipient: string): string {
  return `failures:${sha256(recipient)}`;
}

/** A send inside the life of a challenge repeats its code and shares its attempts; otherwise a new one is opened. */
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
    now < known.expiresAt &&
    now >= known.openedAt - 60_000 &&
    (secretIds === undefined || secretIds.includes(known.secretId));
  const expiresAt = now + policy.lifeSeconds * 1000;
  if (!alive) return { ...seed, state: 'pending', attempts: 0, askerAttempts: 0, openedAt: now, expiresAt };
  return { ...known, expiresAt: Math.min(expiresAt, known.openedAt + policy.capSeconds * 1000) };
}

/** Whose attempts an attempt counts among. */
type Count = 'attempts' | 'askerAttempts';

/** The challenge with one more attempt on it, or undefined when none is left. */
function countAttempt(
  known: Challenge | undefined,
  { seed, policy, now }: CodeAttempt,
  count: Count,
): Challenge | undefined {
  const current = known === undefined || isGone(known, policy, now, count) ? phantom(seed, policy, now) : known;
  return current[count] < policy.attempts ? { ...current, [count]: current[count] + 1 } : undefined;
}

/** Consumed, or at its end with nothing left to prove: what follows is guessing. */
function isGone(challenge: Challenge, policy: OtpPolicy, now: number, count: Count): boolean {
  if (challenge.state === 'consumed') return true;
  return now >= challenge.expiresAt && (challenge.state === 'phantom' || challenge[count] >= policy.attempts);
}

function phantom(seed: ChallengeSeed, policy: OtpPolicy, now: number): Challenge {
  const expiresAt = now + policy.lifeSeconds * 1000;
  return { ...seed, state: 'phantom', attempts: 0, askerAttempts: 0, openedAt: now, expiresAt };
}

export type CodeSubject = { readonly purpose: OtpPurpose; readonly recipient: string; readonly userId?: string };

/** The keys under which codes may have been derived, by the id of their secret. */
export type CodeKeys = Readonly<Record<string, string>>;

export function codeKeys({ ids, findKey }: Secrets): CodeKeys {
  return Object.fromEntries(ids.map((id) => [id, findKey('one-time code', id)?.toString('base64url') ?? '']));
}

/** Six digits, uniform but for 4 parts in 10^9; undefined when the secret it was made under is gone. */
export function deriveCode(keys: CodeKeys, challenge: ChallengeSeed, subject: CodeSubject): string | undefined {
  const key = keys[challenge.secretId];
  if (key === undefined) return undefined;
  const text = [challenge.id, challenge.nonce, subject.purpose, subject.recipient, subject.userId ?? ''].join('\n');
  return String(hmacSha256(Buffer.from(key, 'base64url'), text).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** A code that somebody gives, with all that it takes to count it, to judge it and to use it up in one commit. */
export type CodeAttempt = {
  readonly slot: string;
  readonly failuresId: string;
  readonly reserveId: string;
  /** Canonical address. */
  readonly caller: string;
  /** Names who asked for the code, where this is they. */
  readonly asker?: string | undefined;
  /** For the phantom that is counted on where no challenge is open. */
  readonly seed: ChallengeSeed;
  readonly subject: CodeSubject;
  readonly given: string;
  /** The code of a test recipient, which is not derived. */
  readonly fixed?: string | undefined;
  readonly keys: CodeKeys;
  readonly policy: OtpPolicy;
  /** How the recipient is named in what is written down. */
  readonly trace: AuditDetail;
  readonly now: number;
};

/** lost: the code was right, but has just been used up. */
export type UnprovedAttempt =
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly detail: FailureDetail };

/** proved: the code was right, and is used up by this. */
export type AttemptOutcome = { readonly kind: 'proved' } | UnprovedAttempt;

export type JudgedAttempt = {
  readonly outcome: AttemptOutcome;
  /** As it is to be saved before anybody is told the outcome; left out where no attempt was left. */
  readonly challenge?: Challenge;
};

/** Counts the attempt, then compares. A code is derived whether one is out or not, so that both take the same time. */
export function judgeAttempt(known: Challenge | undefined, attempt: CodeAttempt): JudgedAttempt {
  const { seed, policy, now } = attempt;
  const count = attempt.asker === undefined ? 'attempts' : 'askerAttempts';
  const counted = countAttempt(known, attempt, count);
  const right = attempt.fixed ?? deriveCode(attempt.keys, known ?? seed, attempt.subject);
  const isRight = isSame(right ?? '------', attempt.given);
  // As long as any code lives: when this one ends would tell that it is out, and since when.
  if (counted === undefined) return { outcome: refuseForNow(policy.lifeSeconds) };
  if (isRight && known?.state === 'consumed') return { challenge: counted, outcome: { kind: 'lost' } };
  if (!isRight || counted.state !== 'pending') {
    const detail = { left: policy.attempts - counted[count] };
    return { challenge: counted, outcome: { kind: 'refused', code: 'OTP_INVALID', detail } };
  }
  if (now >= counted.expiresAt)
    return { challenge: counted, outcome: { kind: 'refused', code: 'OTP_EXPIRED', detail: {} } };
  return { challenge: { ...counted, state: 'consumed' }, outcome: { kind: 'proved' } };
}

export function refuseForNow(seconds: number): AttemptOutcome {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  return { kind: 'refused', code: 'OTP_ATTEMPTS_EXCEEDED', detail: { retryAfterSeconds } };
}

/** The caller has given too many wrong codes, for whomever. */
export function refuseCaller({ rule, retryAfterSeconds }: Block): AttemptOutcome {
  const figures = { quota: rule.count, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
  const detail = { retryAfterSeconds, policy: { name: 'attempts-per-ip' as const, ...figures } };
  return { kind: 'refused', code: 'RATE_LIMITED', detail };
}

/** Spaces and dashes removed, digits of other scripts made ASCII. */
export function normaliseCode(text: string): string {
  return text.replaceAll(/[\s\u00a0\u200e\u200f\-–—]/g, '').replaceAll(/\p{Nd}/gu, asciiDigit);
}

/** A script's digits stand in ten consecutive code points whose zero ends in 0 or 6; only the mathematical ones do not. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  if (point < 0x80) return digit;
  if (point >= 0x1d7ce && point <= 0x1d7ff) return String((point - 0x1d7ce) % 10);
  const row = point - (point % 16);
  return String(/\p{Nd}/u.test(String.fromCodePoint(row)) ? point - row : point - row - 6);
}
