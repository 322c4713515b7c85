// The whole interface on one screen: method, path, guards, route.
import type { Route } from './route.ts';
import type { Routes } from './routes.ts';

/** access: a valid access token. captcha: the captcha-token header. origin: the caller's origin where a cookie authenticates. */
export type GuardName = 'access' | 'captcha' | 'origin' | 'refresh-origin';

export type TableLine = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly guards: readonly GuardName[];
  readonly route: Route;
  /** Left out of the API reference: not part of the interface that apps rely on. */
  readonly isHidden?: true;
};

export function createRouteTable(routes: Routes): TableLine[] {
  const lines: TableLine[] = [
    { method: 'GET', path: '/api/auth/captcha/challenge', guards: [], route: routes.captchaChallenge },
    { method: 'POST', path: '/api/auth/phone/send/otp', guards: ['captcha'], route: routes.sendPhoneOtp },
    { method: 'POST', path: '/api/auth/phone/login', guards: [], route: routes.logInWithPhone },
    { method: 'POST', path: '/api/auth/email/send/login-link', guards: ['captcha'], route: routes.sendLoginLink },
    { method: 'POST', path: '/api/auth/email/login', guards: [], route: routes.logInWithLink },
    { method: 'POST', path: '/api/auth/email/link/check', guards: [], route: routes.checkLink },
    {
      method: 'POST',
      path: '/api/auth/email/send/otp',
      guards: ['access', 'origin', 'captcha'],
      route: routes.sendBindingOtp,
    },
    { method: 'PUT', path: '/api/auth/email/add', guards: ['access', 'origin'], route: routes.bindEmail },
    { method: 'POST', path: '/api/auth/refresh-token', guards: ['refresh-origin'], route: routes.refreshTokenPair },
    { method: 'POST', path: '/api/auth/logout', guards: ['access', 'origin'], route: routes.logOut },
    { method: 'GET', path: '/api/auth/me', guards: ['access'], route: routes.me },
    { method: 'DELETE', path: '/api/auth/me', guards: ['access', 'origin'], route: routes.deleteAccount },
    { method: 'GET', path: '/api/auth/sessions', guards: ['access'], route: routes.listSessions },
    { method: 'DELETE', path: '/api/auth/sessions/:id', guards: ['access', 'origin'], route: routes.endSession },
  ];
  if (routes.inbox !== undefined)
    lines.push({ method: 'GET', path: '/api/inbox', guards: [], route: routes.inbox, isHidden: true });
  return lines;
}
