// Challenges as rows and back.
import { type Challenge, challengeKeptUntil, challengeStates } from '../../../../auth/codes/challenge.ts';
import { readWord } from '../../../../kernel/text/closed-list.ts';
import type { Row } from '../../../engine/schema.ts';

export function toChallenge(row: Row<'challenges'>): Challenge {
  return {
    id: row.id,
    nonce: row.nonce,
    secretId: row.secret_id,
    state: readWord(challengeStates, row.state, 'challenges.state'),
    attempts: row.attempts,
    askerAttempts: row.asker_attempts,
    deviceAttempts: row.device_attempts,
    openedAt: row.opened_at,
    ...(row.sent_at !== null && { sentAt: row.sent_at }),
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
    device_attempts: challenge.deviceAttempts,
    opened_at: challenge.openedAt,
    sent_at: challenge.sentAt ?? null,
    expires_at: challenge.expiresAt,
    sweep_at: challengeKeptUntil(challenge),
  };
}
