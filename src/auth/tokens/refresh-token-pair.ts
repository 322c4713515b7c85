// Use case: exchange a refresh token for the next token pair. A reused token ends its session.

import { Failure, type FailureCode } from '../../kernel/failure.ts';
import type { AuthDeps } from '../deps.ts';
import { readDevice } from '../devices/device-token.ts';
import type { RotationOutcome } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';
import { hashSeed, markClient, parseRefreshToken } from './refresh-token.ts';
import { issueTokenPair, type TokenPair } from './token-pair.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'keyRing' | 'revocations' | 'sessions' | 'accessToken' | 'sessionPolicy'
>;

type RefreshTokenPair = {
  readonly token: string;
  readonly deviceToken: string | undefined;
  readonly userAgent: string | undefined;
  readonly ip: string;
};

export async function refreshTokenPair(deps: Deps, input: RefreshTokenPair): Promise<TokenPair> {
  const { sessionId, seed, counter } = parseRefreshToken(deps.secrets, input.token);
  const now = deps.clock.now();
  const policy = deps.sessionPolicy;
  const device = readDevice(deps.secrets, input.deviceToken, now)?.id;
  const client = markClient(seed, { ...input, device });
  const outcome = await deps.sessions.rotate({ sessionId, seedHash: hashSeed(seed), counter, client, policy, now });
  if (outcome.kind !== 'renewed') throw rotationFailure(deps, sessionId, outcome);
  const { userId, counter: next, endsAt, claims, proof, provedAt } = outcome;
  return issueTokenPair(deps, { userId, sessionId, seed, counter: next, endsAt, claims, proof, provedAt }, now);
}

type RefusedRotation = Exclude<RotationOutcome, { kind: 'renewed' }>;

/** The failure that the client gets. Access tokens of a session that ended stop working at once. */
export function rotationFailure(
  { revocations }: Pick<AuthDeps, 'revocations'>,
  sessionId: SessionId,
  outcome: RefusedRotation,
): Failure {
  const others = outcome.kind === 'reused' ? (outcome.ended ?? []) : [];
  if (outcome.kind !== 'invalid' && outcome.kind !== 'too wide') revocations.add([sessionId, ...others]);
  return new Failure(refusals[outcome.kind]);
}

const refusals = {
  invalid: 'REFRESH_TOKEN_INVALID',
  'too wide': 'REFRESH_TOKEN_INVALID',
  expired: 'REFRESH_TOKEN_EXPIRED',
  reused: 'REFRESH_TOKEN_REUSED',
  ended: 'SESSION_REVOKED',
} as const satisfies Record<RefusedRotation['kind'], FailureCode>;
