// Challenges as rows and back.
import type { Challenge } from '../../auth/challenge.ts';
import type { Row } from '../engine/schema.ts';

/** So long after its end a right code is still told apart from a wrong one. */
const keptSeconds = 3600;

export function toChallenge(row: Row<'challenges'>): Challenge {
  return {
    id: row.id,
    nonce: row.nonce,
    secretId: row.secret_id,
    state: row.state as Challenge['state'],
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
    sweep_at: challenge.expiresAt + keptSeconds * 1000,
  };
}
