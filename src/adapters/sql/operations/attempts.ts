// Counting an attempt at a code: committed before anything is compared, so that no crash and no race forgets a guess.

import type { ProvedAttempt } from '../../../auth/challenge.ts';
import { type AttemptCount, type CountedAttempt, countAttempt as countOn } from '../../../auth/challenge.ts';
import { addHit, findBlock, type Hits, longestWindow, removeHit } from '../../../guard/limits.ts';
import { openRows, type RowSet } from '../rows.ts';
import { operation, type Transaction } from '../transaction.ts';
import { fromChallenge, toChallenge } from './challenge-rows.ts';
import { type LimitRows, openLimits } from './limit-rows.ts';

export const countAttempt = operation(
  async (transaction, inputs: readonly AttemptCount[]): Promise<CountedAttempt[]> => {
    const [challenges, limits] = await openAttempts(transaction, inputs);
    const outputs = inputs.map((input) => countOne(input, challenges, limits));
    await Promise.all([challenges.save(), limits.save()]);
    return outputs;
  },
);

/** The codes that are guessed at, and the failures counted with them; further limits that the caller needs are opened with those. */
export async function openAttempts(
  transaction: Transaction,
  attempts: readonly Pick<AttemptCount, 'slot' | 'failuresId'>[],
  furtherLimits: readonly (string | undefined)[] = [],
): Promise<[RowSet<'challenges'>, LimitRows]> {
  const slots = attempts.map((attempt) => attempt.slot);
  const failures = attempts.map((attempt) => attempt.failuresId);
  return Promise.all([
    openRows(transaction, 'challenges', 'slot', slots),
    openLimits(transaction, [...failures, ...furtherLimits]),
  ]);
}

function countOne(input: AttemptCount, challenges: RowSet<'challenges'>, limits: LimitRows): CountedAttempt {
  const { slot, policy, now } = input;
  const rules = policy.failuresPerRecipient;
  const hits = limits.get<Hits>(input.failuresId) ?? [];
  const block = findBlock(hits, rules, now);
  if (block !== undefined) return { kind: 'exceeded', retryAfterSeconds: block.retryAfterSeconds };
  const row = challenges.get(slot);
  const counted = countOn(row && toChallenge(row), input.seed, policy, now);
  if (counted === undefined) {
    const left = Math.ceil(((row?.expires_at ?? now) - now) / 1000);
    return { kind: 'exceeded', retryAfterSeconds: Math.max(1, left) };
  }
  challenges.put(fromChallenge(slot, counted));
  if (rules.length > 0) limits.put(input.failuresId, addHit(hits, rules, now), now + longestWindow(rules) * 1000);
  return { kind: 'counted', challenge: counted };
}

/** True for the one caller that consumes the challenge. A right code is no failure, for those who lost the race either: it is taken back. */
export function consume(proof: ProvedAttempt, challenges: RowSet<'challenges'>, limits: LimitRows): boolean {
  const row = challenges.get(proof.slot);
  if (row === undefined || row.id !== proof.challengeId) return false;
  if (row.state === 'pending') challenges.put({ ...row, state: 'consumed' });
  const hits = limits.get<Hits>(proof.failuresId);
  if (hits !== undefined) limits.put(proof.failuresId, removeHit(hits, proof.countedAt), row.sweep_at + 86_400_000);
  return row.state === 'pending';
}
