// Use case: exchange a refresh token for the next pair; an old one ends its session.
import { Failure } from '../kernel/failure.ts';
import type { AuthDeps } from './deps.ts';
import { hashSeed, markClient, parseRefreshToken } from './refresh-token.ts';
import { issueTokenPair, type TokenPair } from './token-pair.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'keyRing' | 'revocations' | 'sessions' | 'accessToken' | 'sessionPolicy'
>;

export type RefreshTokenPair = {
  readonly token: string;
  readonly userAgent: string | undefined;
  readonly ip: string;
};

export async function refreshTokenPair(deps: Deps, input: RefreshTokenPair): Promise<TokenPair> {
  const { sessionId, seed, counter } = parseRefreshToken(deps.secrets, input.token);
  const now = deps.clock.now();
  const policy = deps.sessionPolicy;
  const client = markClient(seed, input);
  const outcome = await deps.sessions.rotate({ sessionId, seedHash: hashSeed(seed), counter, client, policy, now });
  if (outcome.kind === 'renewed') return issueTokenPair(deps, { ...outcome, sessionId, seed }, now);
  if (outcome.kind === 'invalid') throw new Failure('REFRESH_TOKEN_INVALID');
  deps.revocations.add([sessionId]);
  if (outcome.kind === 'expired') throw new Failure('REFRESH_TOKEN_EXPIRED');
  throw new Failure(outcome.kind === 'reused' ? 'REFRESH_TOKEN_REUSED' : 'SESSION_REVOKED');
}
