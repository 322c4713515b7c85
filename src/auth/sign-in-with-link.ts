// Use case: sign in with a sign-in link. Each link works once.
import { unreachable } from '../kernel/closed-list.ts';
import { Failure } from '../kernel/failure.ts';
import type { AuthDeps } from './deps.ts';
import { hashLinkToken, isLinkToken } from './login-link.ts';
import { issueFirstTokens, prepareSession } from './start-session.ts';
import type { TokenPair } from './token-pair.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'keyRing' | 'revocations' | 'signIns' | 'accessToken' | 'sessionPolicy'
>;

export type SignInWithLink = { token: string; userAgent: string | undefined; ip: string };

export async function signInWithLink(deps: Deps, { token, userAgent, ip }: SignInWithLink): Promise<TokenPair> {
  if (!isLinkToken(token)) throw new Failure('LINK_INVALID');
  const session = prepareSession(deps, { method: 'link', userAgent, ip });
  const outcome = await deps.signIns.signInWithLink({ tokenHash: hashLinkToken(token), session: session.draft });
  switch (outcome.kind) {
    case 'signed in':
      return issueFirstTokens(deps, session, outcome);
    case 'expired':
      throw new Failure('LINK_EXPIRED');
    case 'blocked':
      throw new Failure('USER_BLOCKED');
    case 'lost':
      throw new Failure('LINK_INVALID');
    default:
      return unreachable(outcome);
  }
}
