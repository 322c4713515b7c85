// Trying a code: the attempt is counted and judged in one commit, and nobody is told before it, so that no crash and no race forgets a guess.

import { callerCounters, countCaller, findCallerBlock } from '../../abuse/caller-limits.ts';
import type { Hits } from '../../abuse/limits.ts';
import {
  addFailure,
  choosePurse,
  failuresByCaller,
  type Purse,
  type ReserveHits,
  useReserve,
} from '../../auth/attempt-budget.ts';
import {
  type AttemptOutcome,
  type CodeAttempt,
  judgeAttempt,
  refuseCaller,
  refuseForNow,
} from '../../auth/challenge.ts';
import type { AuditEvent } from '../../kernel/audit.ts';
import { createTrickle } from '../../kernel/trickle.ts';
import { openRows, type RowSet } from '../engine/rows.ts';
import type { Transaction } from '../engine/transaction.ts';
import type { DatedEvent } from './audit.ts';
import { fromChallenge, toChallenge } from './challenge-rows.ts';
import { type LimitRows, openLimits } from './limit-rows.ts';

/** The codes that are guessed at, and the failures counted with them. */
export async function openAttempts(
  transaction: Transaction,
  attempts: readonly CodeAttempt[],
): Promise<[RowSet<'challenges'>, LimitRows]> {
  const slots = attempts.map((attempt) => attempt.slot);
  const ids = attempts.flatMap((attempt) => [
    attempt.failuresId,
    attempt.asker === undefined ? undefined : attempt.reserveId,
    ...countersOf(attempt).map(({ id }) => id),
  ]);
  return Promise.all([openRows(transaction, 'challenges', 'slot', slots), openLimits(transaction, ids)]);
}

/** Of all who try the right code one proves it. Any other attempt counts on the challenge, for the recipient and for the caller. */
export function tryCode(
  attempt: CodeAttempt,
  challenges: Pick<RowSet<'challenges'>, 'get' | 'put'>,
  limits: Pick<LimitRows, 'get' | 'put'>,
): AttemptOutcome {
  const { slot, asker, policy, now } = attempt;
  // A caller who is refused uses up nothing of the recipient's. Who asked for the code is no stranger, wherever they are.
  const callerBlock = asker === undefined ? findCallerBlock(countersOf(attempt), limits.get, now) : undefined;
  if (callerBlock !== undefined) return refuseCaller(callerBlock);
  const failures = limits.get<Hits>(attempt.failuresId) ?? [];
  const reserve = asker === undefined ? [] : (limits.get<ReserveHits>(attempt.reserveId) ?? []);
  const purse = choosePurse({ failures, reserve }, policy, asker, now);
  if (purse.name === 'none') return refuseForNow(purse.block.retryAfterSeconds);
  const row = challenges.get(slot);
  const { outcome, challenge } = judgeAttempt(row && toChallenge(row), attempt);
  if (challenge === undefined) return outcome;
  challenges.put(fromChallenge(slot, challenge));
  if (outcome.kind !== 'proved') countWrong(attempt, purse, limits);
  return outcome;
}

function countWrong(attempt: CodeAttempt, purse: Purse, limits: Pick<LimitRows, 'get' | 'put'>): void {
  const { asker = '', policy, now } = attempt;
  for (const { id, value, endsAt } of countCaller(countersOf(attempt), limits.get, now)) limits.put(id, value, endsAt);
  if (purse.name === 'reserve') {
    const { value, endsAt } = useReserve(limits.get<ReserveHits>(attempt.reserveId) ?? [], asker, now);
    limits.put(attempt.reserveId, value, endsAt);
  } else if (policy.failuresPerRecipient.length > 0) {
    const { value, endsAt } = addFailure(limits.get<Hits>(attempt.failuresId) ?? [], policy, now);
    limits.put(attempt.failuresId, value, endsAt);
  }
}

function countersOf({ caller, policy }: CodeAttempt) {
  return callerCounters(failuresByCaller, caller, policy.failuresPerCaller);
}

const refusedUncounted: ReadonlySet<string> = new Set(['OTP_ATTEMPTS_EXCEEDED', 'RATE_LIMITED']);
/** Of each process. Whoever guesses at many numbers must not fill the table; every failed answer is counted in the metrics. */
const mayWrite = createTrickle(60, 60_000);

/** What is written down about an attempt that proved nothing; nothing about one that was refused without being counted. */
export function failedAttempt(
  { trace, now }: CodeAttempt,
  outcome: AttemptOutcome,
  about: Omit<AuditEvent, 'kind'>,
): DatedEvent[] {
  const [kind, reason] = judgeFailure(outcome);
  if (kind === undefined || !mayWrite(now)) return [];
  return [{ ...about, kind, detail: { ...trace, reason, ...about.detail }, now }];
}

function judgeFailure(outcome: AttemptOutcome): readonly ['otp.failed' | 'otp.exhausted' | undefined, string] {
  if (outcome.kind === 'lost') return ['otp.failed', 'used'];
  if (outcome.kind === 'proved' || refusedUncounted.has(outcome.code)) return [undefined, ''];
  if (outcome.code === 'OTP_EXPIRED') return ['otp.failed', 'expired'];
  return [outcome.detail.left === 0 ? 'otp.exhausted' : 'otp.failed', 'wrong'];
}
