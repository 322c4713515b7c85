// The API of signing in: method, path, guards, route.
import type { AppDeps } from '../apps/deps.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { CookieWriter } from './interface/cookies.ts';
import { paths } from './interface/paths.ts';
import type { Route } from './interface/route.ts';
import type { GuardName, RouteLine } from './interface/route-line.ts';
import { allowAppRoute } from './routes/auth/apps/allow-app.ts';
import { listAllowedAppsRoute } from './routes/auth/apps/list-allowed-apps.ts';
import { withdrawAppRoute } from './routes/auth/apps/withdraw-app.ts';
import { captchaChallengeRoute } from './routes/auth/codes/captcha-challenge.ts';
import { sendPhoneOtpRoute } from './routes/auth/codes/send-phone-otp.ts';
import { sendProofOtpRoute } from './routes/auth/codes/send-proof-otp.ts';
import { bindEmailRoute } from './routes/auth/identity/bind-email.ts';
import { cancelPhoneChangeRoute } from './routes/auth/identity/cancel-phone-change.ts';
import { changePhoneRoute } from './routes/auth/identity/change-phone.ts';
import { deleteAccountRoute } from './routes/auth/identity/delete-account.ts';
import { meRoute } from './routes/auth/identity/me.ts';
import { removeEmailRoute } from './routes/auth/identity/remove-email.ts';
import { sendBindingOtpRoute } from './routes/auth/identity/send-binding-otp.ts';
import { sendPhoneChangeOtpRoute } from './routes/auth/identity/send-phone-change-otp.ts';
import { showPhoneChangeRoute } from './routes/auth/identity/show-phone-change.ts';
import { checkLinkRoute } from './routes/auth/links/check-link.ts';
import { sendLoginLinkRoute } from './routes/auth/links/send-login-link.ts';
import { reportNotMeRoute } from './routes/auth/notices/report-not-me.ts';
import { endSessionRoute } from './routes/auth/sessions/end-session.ts';
import { listSessionsRoute } from './routes/auth/sessions/list-sessions.ts';
import { proveSessionRoute } from './routes/auth/sessions/prove-session.ts';
import { signOutRoute } from './routes/auth/sessions/sign-out.ts';
import { claimPhoneRoute } from './routes/auth/sign-in/claim-phone.ts';
import { signInWithLinkRoute } from './routes/auth/sign-in/sign-in-with-link.ts';
import { signInWithPhoneRoute } from './routes/auth/sign-in/sign-in-with-phone.ts';
import { refreshTokenPairRoute } from './routes/auth/tokens/refresh-token-pair.ts';

export function createAuthTable(deps: AuthDeps, apps: AppDeps, cookies: CookieWriter): RouteLine[] {
  return [
    line('captchaChallenge', 'GET', '/api/auth/captcha/challenge', [], captchaChallengeRoute(deps)),
    line('sendPhoneOtp', 'POST', '/api/auth/phone/send/otp', ['captcha'], sendPhoneOtpRoute(deps, cookies)),
    line('signInWithPhone', 'POST', '/api/auth/phone/login', [], signInWithPhoneRoute(deps, cookies)),
    line('claimPhone', 'POST', '/api/auth/phone/claim', [], claimPhoneRoute(deps, cookies)),
    line('sendLoginLink', 'POST', '/api/auth/email/send/login-link', ['captcha'], sendLoginLinkRoute(deps, cookies)),
    line('signInWithLink', 'POST', '/api/auth/email/login', [], signInWithLinkRoute(deps, cookies)),
    line('checkLink', 'POST', '/api/auth/email/link/check', [], checkLinkRoute(deps, apps.apps)),
    line(
      'sendBindingOtp',
      'POST',
      '/api/auth/email/send/otp',
      ['access', 'origin', 'captcha'],
      sendBindingOtpRoute(deps, cookies),
    ),
    line('bindEmail', 'PUT', '/api/auth/email/add', ['access', 'origin'], bindEmailRoute(deps)),
    line('removeEmail', 'DELETE', '/api/auth/email', ['access', 'origin', 'recent'], removeEmailRoute(deps)),
    line(
      'sendPhoneChangeOtp',
      'POST',
      '/api/auth/phone/change/send',
      ['access', 'origin', 'captcha', 'recent'],
      sendPhoneChangeOtpRoute(deps, cookies),
    ),
    line(
      'changePhone',
      'PUT',
      '/api/auth/phone/change',
      ['access', 'origin', 'recent'],
      changePhoneRoute(deps, cookies),
    ),
    line('showPhoneChange', 'GET', '/api/auth/phone/change', ['access'], showPhoneChangeRoute(deps)),
    line('cancelPhoneChange', 'DELETE', '/api/auth/phone/change', ['access', 'origin'], cancelPhoneChangeRoute(deps)),
    line('reportNotMe', 'POST', '/api/auth/not-me', [], reportNotMeRoute(deps)),
    line(
      'refreshTokenPair',
      'POST',
      '/api/auth/refresh-token',
      ['refresh-origin'],
      refreshTokenPairRoute(deps, cookies),
    ),
    line('signOut', 'POST', '/api/auth/logout', ['access', 'origin'], signOutRoute(deps, cookies)),
    line(
      'sendProofOtp',
      'POST',
      '/api/auth/proof/send',
      ['access', 'origin', 'captcha'],
      sendProofOtpRoute(deps, cookies),
    ),
    line(
      'proveSession',
      'POST',
      '/api/auth/proof',
      ['access', 'origin', 'refresh-origin'],
      proveSessionRoute(deps, cookies),
    ),
    line('allowApp', 'POST', paths.consent, ['access', 'origin', 'browser', 'recent'], allowAppRoute(apps)),
    line('me', 'GET', '/api/auth/me', ['access'], meRoute(deps)),
    line('deleteAccount', 'DELETE', '/api/auth/me', ['access', 'origin', 'recent'], deleteAccountRoute(deps, cookies)),
    line('listSessions', 'GET', '/api/auth/sessions', ['access'], listSessionsRoute(apps)),
    line('endSession', 'DELETE', '/api/auth/sessions/:id', ['access', 'origin'], endSessionRoute(deps, cookies)),
    line('listAllowedApps', 'GET', '/api/auth/apps', ['access'], listAllowedAppsRoute(apps)),
    line('withdrawApp', 'DELETE', '/api/auth/apps/:id', ['access', 'origin'], withdrawAppRoute(apps)),
  ];
}

function line(
  name: string,
  method: RouteLine['method'],
  path: string,
  guards: readonly GuardName[],
  route: Route,
): RouteLine {
  return { name, tag: 'auth', method, path, guards, route };
}
