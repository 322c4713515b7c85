// Proving a session: the code is consumed, the proof renewed and the refresh token rotated in one commit, or nothing is.
import { countUsedCode, usageCounterId } from '../../../../abuse/sms-brake.ts';
import {
  chooseCandidate,
  ownCandidates,
  type ProofOutcome,
  type ProvedUser,
  provedEvent,
  type SessionProof,
} from '../../../../auth/sessions/session-proof.ts';
import { givesPair, planReseeding, planRotation } from '../../../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import { openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { countAttempt, failedAttempt, openAttempts } from '../codes/attempts.ts';
import { toChallenge } from '../codes/challenge-rows.ts';
import { collectReused } from './child-sessions.ts';
import { applyRotation, toState } from './sessions.ts';

export const prove = operation(async (transaction, inputs: readonly SessionProof[]): Promise<ProofOutcome[]> => {
  const candidates = inputs.flatMap((input) => input.candidates);
  const [challenges, limits] = await openAttempts(
    transaction,
    candidates.map(({ attempt }) => attempt),
    candidates.map(({ country }) => (country === undefined ? undefined : usageCounterId(country))),
  );
  const [users, sessions] = await Promise.all([
    openRows(
      transaction,
      'users',
      'id',
      inputs.map((input) => input.userId),
    ),
    openRows(
      transaction,
      'sessions',
      'id',
      inputs.map((input) => input.rotation.sessionId),
    ),
  ]);
  const events: DatedEvent[] = [];
  const ids = inputs.map((input) => input.rotation.sessionId);
  const reused = collectReused(ids, sessions);
  const outcomes = inputs.map((input): ProofOutcome => {
    const { userId, rotation } = input;
    const user = users.get(userId);
    const row = sessions.get(rotation.sessionId);
    if (user === undefined || user.blocked_at !== null || row?.user_id !== userId) return { kind: 'ended' };
    const state = toState(row);
    const plan = rotation.counter === undefined ? planReseeding(state, rotation) : planRotation(state, rotation);
    if (!givesPair(plan))
      return applyRotation(plan, { row, claims: user.claims }, rotation, { sessions, reused, events });
    const candidate = chooseCandidate(ownCandidates(toProvedUser(user), input.candidates), (slot) => {
      const challenge = challenges.get(slot);
      return challenge && toChallenge(challenge);
    });
    if (candidate === undefined) return { kind: 'lost' };
    const { attempt, country, proof } = candidate;
    const openedAt = challenges.get(attempt.slot)?.opened_at ?? 0;
    const outcome = countAttempt(attempt, challenges, limits);
    if (outcome.kind !== 'proved') {
      events.push(...failedAttempt(attempt, outcome, { userId, detail: { ip: input.ip } }));
      return outcome;
    }
    if (country !== undefined) limits.putAll([countUsedCode(country, limits.get, openedAt, rotation.now)]);
    events.push(provedEvent(input, { proof, provedAt: rotation.now }));
    const proved = { ...row, proved_at: rotation.now, proof };
    sessions.put(proved);
    return applyRotation(plan, { row: proved, claims: user.claims }, rotation, { sessions, reused, events });
  });
  await Promise.all([challenges.save(), limits.save(), sessions.save(), writeAudit(transaction, events)]);
  return reused.save(transaction, outcomes, (index) => ids[index]);
});

function toProvedUser({ phone, email_key }: Row<'users'>): ProvedUser {
  return { phone: phone ?? undefined, emailKey: email_key ?? undefined };
}
