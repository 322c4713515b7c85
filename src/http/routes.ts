// Every route, made from the parts it needs.
import type { AuthDeps } from '../auth/deps.ts';
import type { InboxStore } from '../delivery/inbox.ts';
import type { CookieWriter } from './cookies.ts';
import { bindEmailRoute } from './routes/bind-email.ts';
import { captchaChallengeRoute } from './routes/captcha-challenge.ts';
import { checkLinkRoute } from './routes/check-link.ts';
import { deleteAccountRoute } from './routes/delete-account.ts';
import { endSessionRoute } from './routes/end-session.ts';
import { inboxRoute } from './routes/inbox.ts';
import { listSessionsRoute } from './routes/list-sessions.ts';
import { logInWithLinkRoute } from './routes/log-in-with-link.ts';
import { logInWithPhoneRoute } from './routes/log-in-with-phone.ts';
import { logOutRoute } from './routes/log-out.ts';
import { meRoute } from './routes/me.ts';
import { refreshTokenPairRoute } from './routes/refresh-token-pair.ts';
import { sendBindingOtpRoute } from './routes/send-binding-otp.ts';
import { sendLoginLinkRoute } from './routes/send-login-link.ts';
import { sendPhoneOtpRoute } from './routes/send-phone-otp.ts';

export type Routes = ReturnType<typeof createRoutes>;

/** `inbox` is undefined where no message ends in the inbox. */
export function createRoutes(deps: AuthDeps, cookies: CookieWriter, inbox: InboxStore | undefined) {
  return {
    captchaChallenge: captchaChallengeRoute(deps),
    sendPhoneOtp: sendPhoneOtpRoute(deps),
    logInWithPhone: logInWithPhoneRoute(deps, cookies),
    sendLoginLink: sendLoginLinkRoute(deps, cookies),
    logInWithLink: logInWithLinkRoute(deps, cookies),
    checkLink: checkLinkRoute(deps),
    sendBindingOtp: sendBindingOtpRoute(deps),
    bindEmail: bindEmailRoute(deps),
    refreshTokenPair: refreshTokenPairRoute(deps, cookies),
    logOut: logOutRoute(deps, cookies),
    me: meRoute(deps),
    deleteAccount: deleteAccountRoute(deps, cookies),
    listSessions: listSessionsRoute(deps),
    endSession: endSessionRoute(deps, cookies),
    inbox: inbox === undefined ? undefined : inboxRoute({ inbox }),
  };
}
