// Use case: sign in with a sign-in link. Each link works once.

import { Failure } from '../../kernel/failure.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { AuthDeps } from '../deps.ts';
import { hashLinkToken, isLinkToken, type LinkTarget } from '../links/login-link.ts';
import { type GivenDevice, prepareDevice } from './signing-device.ts';
import { type FirstTokens, issueFirstTokens, prepareSession } from './start-session.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'keyRing'
  | 'revocations'
  | 'signIns'
  | 'accessToken'
  | 'sessionPolicy'
  | 'noticeChoice'
  | 'wakeDelivery'
>;

type SignInWithLink = GivenDevice & { readonly token: string; readonly ip: string };

export async function signInWithLink(deps: Deps, input: SignInWithLink): Promise<FirstTokens & LinkTarget> {
  const { token, userAgent, ip } = input;
  if (!isLinkToken(token)) throw new Failure('LINK_INVALID');
  const session = prepareSession(deps, { method: 'link', userAgent, ip });
  const { known, device } = prepareDevice(deps, input);
  const tokenHash = hashLinkToken(token);
  const outcome = await deps.signIns.signInWithLink({ tokenHash, session: session.draft, device });
  switch (outcome.kind) {
    case 'signed in':
      if (outcome.hasNotice) deps.wakeDelivery('mail');
      return {
        ...issueFirstTokens(deps, session, outcome, known),
        authorizationTicket: outcome.authorizationTicket,
      };
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
