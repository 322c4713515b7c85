// Use case: redeem a login link, once.
import { Failure } from '../kernel/failure.ts';
import type { AuthDeps } from './deps.ts';
import { hashLinkToken, isLinkToken } from './login-link.ts';
import { startSession } from './start-session.ts';
import type { TokenPair } from './token-pair.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'keyRing' | 'revocations' | 'signIns' | 'accessToken' | 'sessionPolicy'
>;

export type LogInWithLink = { token: string; userAgent: string | undefined; ip: string };

export async function signInWithLink(deps: Deps, { token, userAgent, ip }: LogInWithLink): Promise<TokenPair> {
  if (!isLinkToken(token)) throw new Failure('LINK_INVALID');
  return startSession(deps, { method: 'link', userAgent, ip }, async (session) => {
    const outcome = await deps.signIns.signInWithLink({ tokenHash: hashLinkToken(token), session });
    if (outcome.kind === 'signed in') return outcome;
    if (outcome.kind === 'expired') throw new Failure('LINK_EXPIRED');
    throw new Failure(outcome.kind === 'blocked' ? 'USER_BLOCKED' : 'LINK_INVALID');
  });
}
