// The rule of one attempt with a code: who is refused before the code is judged, what a wrong code uses up, and what is audited.
import { type Count, callerCounters, countCaller, findCallerBlock, type ReadCounter } from '../abuse/caller-limits.ts';
import type { Hits } from '../abuse/limits.ts';
import type { AuditEvent, DatedEvent } from '../kernel/audit.ts';
import {
  type AttemptCharge,
  addFailure,
  chooseCharge,
  failuresByCaller,
  type ReserveHits,
  useReserve,
} from './attempt-budget.ts';
import {
  type AttemptOutcome,
  type Challenge,
  type CodeAttempt,
  type JudgedAttempt,
  judgeAttempt,
  refuseCaller,
  refuseUntil,
} from './challenge.ts';

/** `counts`: the new values of the counters. They are saved together with the challenge. */
export type TriedCode = JudgedAttempt & { readonly counts: readonly Count[] };

/** The counters that an attempt uses; undefined if one is not needed. */
export function attemptCounterIds(attempt: CodeAttempt): (string | undefined)[] {
  return [
    attempt.failuresId,
    attempt.asker === undefined ? undefined : attempt.reserveId,
    ...countersOf(attempt).map(({ id }) => id),
  ];
}

/** Only one attempt with the right code succeeds. Every other attempt counts on the challenge, for the recipient and for the caller. */
export function tryCode(known: Challenge | undefined, attempt: CodeAttempt, read: ReadCounter): TriedCode {
  const { asker, policy, now } = attempt;
  // A refused caller uses up nothing of the recipient. The client that requested the code is never refused as a caller.
  const callerBlock = asker === undefined ? findCallerBlock(countersOf(attempt), read, now) : undefined;
  if (callerBlock !== undefined) return { outcome: refuseCaller(callerBlock), counts: [] };
  const failures = (read(attempt.failuresId) ?? []) as Hits;
  const reserve = asker === undefined ? [] : reserveOf(attempt, read);
  const purse = chooseCharge({ failures, reserve }, policy, asker, now);
  if (purse.name === 'none') return { outcome: refuseUntil(purse.block.retryAfterSeconds), counts: [] };
  const judged = judgeAttempt(known, attempt);
  const isCounted = judged.challenge !== undefined && judged.outcome.kind !== 'proved';
  return { ...judged, counts: isCounted ? countWrong(attempt, purse, read) : [] };
}

function countWrong(attempt: CodeAttempt, purse: AttemptCharge, read: ReadCounter): Count[] {
  const { asker = '', policy, now } = attempt;
  const counts = countCaller(countersOf(attempt), read, now);
  if (purse.name === 'reserve')
    counts.push({ id: attempt.reserveId, ...useReserve(reserveOf(attempt, read), asker, now) });
  else if (policy.failuresPerRecipient.length > 0)
    counts.push({ id: attempt.failuresId, ...addFailure((read(attempt.failuresId) ?? []) as Hits, policy, now) });
  return counts;
}

function countersOf({ caller, policy }: CodeAttempt) {
  return callerCounters(failuresByCaller, caller, policy.failuresPerCaller);
}

function reserveOf({ reserveId }: CodeAttempt, read: ReadCounter): ReserveHits {
  return (read(reserveId) ?? []) as ReserveHits;
}

const uncountedCodes: ReadonlySet<string> = new Set(['OTP_ATTEMPTS_EXCEEDED', 'RATE_LIMITED']);

/** The audit event of a failed attempt; undefined for an attempt that was refused without being counted. */
export function failedAttemptEvent(
  { trace, now }: CodeAttempt,
  outcome: AttemptOutcome,
  about: Omit<AuditEvent, 'kind'>,
): DatedEvent | undefined {
  const failure = describeFailure(outcome);
  if (failure === undefined) return undefined;
  const { kind, reason } = failure;
  return { ...about, kind, detail: { ...trace, reason, ...about.detail }, now };
}

function describeFailure(
  outcome: AttemptOutcome,
): { readonly kind: 'otp.failed' | 'otp.exhausted'; readonly reason: string } | undefined {
  if (outcome.kind === 'lost') return { kind: 'otp.failed', reason: 'used' };
  if (outcome.kind === 'proved' || uncountedCodes.has(outcome.code)) return undefined;
  if (outcome.code === 'OTP_EXPIRED') return { kind: 'otp.failed', reason: 'expired' };
  return { kind: outcome.detail.left === 0 ? 'otp.exhausted' : 'otp.failed', reason: 'wrong' };
}
