// POST /api/auth/email/login: exchanges the token of a sign-in link for a token pair.
import type { AuthDeps } from '../../../auth/deps.ts';
import { signInWithLink } from '../../../auth/sign-in-with-link.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { defineRoute } from '../../interface/route.ts';
import { object } from '../../interface/schema.ts';
import { linkTokenField, tokenPair, tokenPairExample } from '../fields.ts';
import { tokenAnswer } from './token-answer.ts';

export function signInWithLinkRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign in with a sign-in link',
    description:
      'Takes the token from the fragment of the link. A link works once. Using it invalidates the user’s other links.',
    success: 'LOGGED_IN',
    failures: ['LINK_INVALID', 'LINK_EXPIRED', 'USER_BLOCKED'],
    body: object({ token: linkTokenField }),
    data: tokenPair,
    example: tokenPairExample,
    handle: async ({ body, userAgent, ip }) =>
      tokenAnswer(cookies, await signInWithLink(deps, { token: body.token, userAgent, ip })),
  });
}
