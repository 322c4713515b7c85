// Trying a code: the attempt is counted and judged in one commit, and nobody is told before it, so that no crash and no race forgets a guess.
import { type AttemptOutcome, type CodeAttempt, judgeAttempt, refuseForNow } from '../../../auth/challenge.ts';
import { addHit, findBlock, type Hits, longestWindow } from '../../../guard/limits.ts';
import type { AuditEvent } from '../../../kernel/audit.ts';
import { createTrickle } from '../../../kernel/trickle.ts';
import { openRows, type RowSet } from '../rows.ts';
import type { Transaction } from '../transaction.ts';
import type { DatedEvent } from './audit.ts';
import { fromChallenge, toChallenge } from './challenge-rows.ts';
import { type LimitRows, openLimits } from './limit-rows.ts';

/** The codes that are guessed at, and the failures counted with them. */
export async function openAttempts(
  transaction: Transaction,
  attempts: readonly CodeAttempt[],
): Promise<[RowSet<'challenges'>, LimitRows]> {
  const slots = attempts.map((attempt) => attempt.slot);
  const failures = attempts.map((attempt) => attempt.failuresId);
  return Promise.all([openRows(transaction, 'challenges', 'slot', slots), openLimits(transaction, failures)]);
}

/** Of all who try the right code one proves it. Any other attempt counts on the challenge and as a failure of the recipient. */
export function tryCode(attempt: CodeAttempt, challenges: RowSet<'challenges'>, limits: LimitRows): AttemptOutcome {
  const { slot, failuresId, policy, now } = attempt;
  const rules = policy.failuresPerRecipient;
  const hits = limits.get<Hits>(failuresId) ?? [];
  const block = findBlock(hits, rules, now);
  if (block !== undefined) return refuseForNow(block.retryAfterSeconds);
  const row = challenges.get(slot);
  const { outcome, challenge } = judgeAttempt(row && toChallenge(row), attempt);
  if (challenge === undefined) return outcome;
  challenges.put(fromChallenge(slot, challenge));
  if (outcome.kind !== 'proved' && rules.length > 0)
    limits.put(failuresId, addHit(hits, rules, now), now + longestWindow(rules) * 1000);
  return outcome;
}

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
  if (outcome.kind === 'proved' || outcome.code === 'OTP_ATTEMPTS_EXCEEDED') return [undefined, ''];
  if (outcome.code === 'OTP_EXPIRED') return ['otp.failed', 'expired'];
  return [outcome.detail.left === 0 ? 'otp.exhausted' : 'otp.failed', 'wrong'];
}
