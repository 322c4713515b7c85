// POST /api/auth/email/login: exchanges the token of a sign-in link for a token pair.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { signInWithLink } from '../../../../auth/sign-in/sign-in-with-link.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { readDeviceToken } from '../../../interface/device-token-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { linkTokenField, tokenPairExample, tokenPairFields } from '../../fields.ts';
import { continueTo, continueToField } from '../apps/continue-to.ts';
import { signedInAnswer, signInCookies } from '../tokens/token-answer.ts';

export function signInWithLinkRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign in with a sign-in link',
    description:
      'Takes the token from the fragment of the link. A link works once. Using it invalidates the user’s other links.',
    success: 'LOGGED_IN',
    failures: ['LINK_INVALID', 'LINK_EXPIRED', 'USER_BLOCKED'],
    body: object({ token: linkTokenField }),
    data: object({ ...tokenPairFields, continueTo: continueToField }),
    example: { ...tokenPairExample, continueTo: null },
    deviceToken: 'renewed',
    cookies: signInCookies,
    handle: async (call) => {
      const { body, userAgent, ip, language } = call;
      const given = { token: body.token, deviceToken: readDeviceToken(call) };
      const first = await signInWithLink(deps, { ...given, userAgent, ip, language });
      return signedInAnswer(cookies, first, { continueTo: continueTo(first) });
    },
  });
}
