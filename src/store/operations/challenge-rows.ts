// Challenges as rows and back.
import { type Challenge, challengeKeptUntil, challengeStates } from '../../auth/challenge.ts';
import { readWord } from '../../kernel/closed-list.ts';
import type { Row } from '../engine/schema.ts';

export function toChallenge(row: Row<'challenges'>): Challenge {
  return {
    id: row.id,
    nonce: row.nonce,
    secretId: row.secret_id,
    state: readWord(challengeStates, row.state, 'challenges.state'),
    attempts: row.attempts,
    askerAttempts: row.asker_attempts,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
  };
}

export function fromChallenge(slot: string, challenge: Challenge): Row<'challenges'> {
  return {
    slot,
    id: challenge.id,
    nonce: challenge.nonce,
    secret_id: challenge.secretId,
    state: challenge.state,
    attempts: challenge.attempts,
    asker_attempts: challenge.askerAttempts,
    opened_at: challenge.openedAt,
    expires_at: challenge.expiresAt,
    sweep_at: challengeKeptUntil(challenge),
  };
}
