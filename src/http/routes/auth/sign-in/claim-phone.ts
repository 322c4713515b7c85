// POST /api/auth/phone/claim: starts a new account with a number whose account was unused for long.

import type { AuthDeps } from '../../../../auth/deps.ts';
import { claimPhone } from '../../../../auth/sign-in/claim-phone.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { readDeviceToken } from '../../../interface/device-token-header.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { ticketField, tokenPair, tokenPairExample } from '../../fields.ts';
import { signedInAnswer, signInCookies } from '../tokens/token-answer.ts';

export function claimPhoneRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Start a new account with a recycled number',
    description:
      'Takes the header proof-ticket of a sign-in that failed with PHONE_NEEDS_PROOF. The old account loses the number, keeps its e-mail address, files and sessions, and is notified by e-mail. The caller signs in as a new user. A ticket works once, within 10 minutes, and only as long as nobody uses the old account.',
    success: 'LOGGED_IN',
    failures: ['PROOF_TICKET_INVALID', 'USER_BLOCKED', 'SIGNUP_CLOSED'],
    body: object({ ticket: ticketField }),
    data: tokenPair,
    example: tokenPairExample,
    deviceToken: 'renewed',
    cookies: signInCookies,
    handle: async (call) => {
      const { body, userAgent, ip, language } = call;
      const given = { ticket: body.ticket, deviceToken: readDeviceToken(call) };
      return signedInAnswer(cookies, await claimPhone(deps, { ...given, userAgent, ip, language }));
    },
  });
}
