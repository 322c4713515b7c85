// POST /api/auth/email/send/login-link: sends a sign-in link if the e-mail address has an account. The answer does not reveal this.
import { requireTicket } from '../../../../apps/requests/require-ticket.ts';
import type { AuthDeps } from '../../../../auth/deps.ts';
import { sendLoginLink } from '../../../../auth/links/send-login-link.ts';
import { randomText } from '../../../../kernel/crypto/random.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { emailField } from '../../fields.ts';
import { authorizationTicketField } from '../apps/continue-to.ts';

export function sendLoginLinkRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Send a sign-in link by e-mail',
    description:
      'The response is the same whether or not an account exists. Sets a cookie with which the link signs in automatically in this browser. With the ticket of an app’s sign-in, the link goes on to the app, in any browser.',
    success: 'LINK_SENT',
    failures: ['EMAIL_INVALID', 'AUTHORIZATION_EXPIRED', 'OTP_RESEND_TOO_SOON', 'OTP_SEND_LIMIT'],
    body: object({ recipient: emailField('E-mail address') }, { ticket: authorizationTicketField }),
    cookies: ['lb'],
    handle: async ({ body, captchaToken, ip, language, cookie }) => {
      const { recipient, ticket: authorizationTicket } = body;
      if (authorizationTicket !== undefined) requireTicket(deps, authorizationTicket);
      const known = cookie('lb');
      const browser = known !== undefined && /^[\w-]{22}$/.test(known) ? known : randomText(16);
      await sendLoginLink(deps, { recipient, captchaToken, ip, language, browser, authorizationTicket });
      return { data: null, cookies: [cookies.browser(browser, deps.linkLifeSeconds)] };
    },
  });
}
