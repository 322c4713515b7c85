// Trying a code: one commit counts and judges the attempt before anybody learns the outcome, so that no crash and no race forgets a guess.

import type { AttemptOutcome, CodeAttempt } from '../../../../auth/codes/challenge.ts';
import { attemptCounterIds, failedAttemptEvent, tryCode } from '../../../../auth/codes/try-code.ts';
import type { AuditEvent, DatedEvent } from '../../../../kernel/audit.ts';
import { createRateLimiter } from '../../../../kernel/work/rate-limiter.ts';
import { openRows, type RowSet } from '../../../engine/rows.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { type LimitRows, openLimits } from '../../abuse/limit-rows.ts';
import { fromChallenge, toChallenge } from './challenge-rows.ts';

/** Opens the challenges of the attempts and the counters that they touch. `others`: more counters, locked together with them. */
export async function openAttempts(
  transaction: Transaction,
  attempts: readonly CodeAttempt[],
  others: readonly (string | undefined)[] = [],
): Promise<[RowSet<'challenges'>, LimitRows]> {
  const slots = attempts.map((attempt) => attempt.slot);
  const ids = [...attempts.flatMap(attemptCounterIds), ...others];
  return Promise.all([openRows(transaction, 'challenges', 'slot', slots), openLimits(transaction, ids)]);
}

/** Judges an attempt, and puts what it counts into the open rows. */
export function countAttempt(
  attempt: CodeAttempt,
  challenges: RowSet<'challenges'>,
  limits: LimitRows,
): AttemptOutcome {
  const row = challenges.get(attempt.slot);
  const { outcome, challenge, counts } = tryCode(row && toChallenge(row), attempt, limits.get);
  if (challenge !== undefined) challenges.put(fromChallenge(attempt.slot, challenge));
  limits.putAll(counts);
  return outcome;
}

/** Per process. Guesses at many numbers must not fill the table. The metrics count every failed attempt. */
const mayWrite = createRateLimiter(60, 60_000);

export function failedAttempt(
  attempt: CodeAttempt,
  outcome: AttemptOutcome,
  about: Omit<AuditEvent, 'kind'>,
): DatedEvent[] {
  const event = failedAttemptEvent(attempt, outcome, about);
  return event === undefined || !mayWrite(attempt.now) ? [] : [event];
}
