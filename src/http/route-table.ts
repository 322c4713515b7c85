// The interface of apps on one screen: method, path, guards, route. That of the admin page stands in admin-table.ts.
import type { Route } from './interface/route.ts';
import type { Routes } from './routes.ts';

/**
 * access: a valid access token. captcha: the captcha-token header. origin: the caller's origin where a cookie authenticates.
 * host: a name that no stranger can own, where nothing authenticates. admin: a sign-in of the support staff; admin-door: whoever
 * wants one.
 */
export type GuardName = 'access' | 'captcha' | 'origin' | 'refresh-origin' | 'host' | 'admin' | 'admin-door';

export type TableLine = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly guards: readonly GuardName[];
  readonly route: Route;
  /** The route's name in all rooms; the operation id of the OpenAPI document. */
  readonly name: string;
  /** Left out of the API reference: not part of the interface that apps rely on. */
  readonly isHidden?: true;
};

export function createRouteTable(routes: Routes): TableLine[] {
  const lines: Omit<TableLine, 'name'>[] = [
    { method: 'GET', path: '/api/auth/captcha/challenge', guards: [], route: routes.captchaChallenge },
    { method: 'POST', path: '/api/auth/phone/send/otp', guards: ['captcha'], route: routes.sendPhoneOtp },
    { method: 'POST', path: '/api/auth/phone/login', guards: [], route: routes.signInWithPhone },
    { method: 'POST', path: '/api/auth/email/send/login-link', guards: ['captcha'], route: routes.sendLoginLink },
    { method: 'POST', path: '/api/auth/email/login', guards: [], route: routes.signInWithLink },
    { method: 'POST', path: '/api/auth/email/link/check', guards: [], route: routes.checkLink },
    {
      method: 'POST',
      path: '/api/auth/email/send/otp',
      guards: ['access', 'origin', 'captcha'],
      route: routes.sendBindingOtp,
    },
    { method: 'PUT', path: '/api/auth/email/add', guards: ['access', 'origin'], route: routes.bindEmail },
    { method: 'POST', path: '/api/auth/refresh-token', guards: ['refresh-origin'], route: routes.refreshTokenPair },
    { method: 'POST', path: '/api/auth/logout', guards: ['access', 'origin'], route: routes.signOut },
    { method: 'GET', path: '/api/auth/me', guards: ['access'], route: routes.me },
    { method: 'DELETE', path: '/api/auth/me', guards: ['access', 'origin'], route: routes.deleteAccount },
    { method: 'GET', path: '/api/auth/sessions', guards: ['access'], route: routes.listSessions },
    { method: 'DELETE', path: '/api/auth/sessions/:id', guards: ['access', 'origin'], route: routes.endSession },
    { method: 'POST', path: '/api/file/upload', guards: ['access', 'origin'], route: routes.uploadFile },
    { method: 'GET', path: '/api/file/purposes', guards: ['access'], route: routes.listPurposes },
    { method: 'GET', path: '/api/file', guards: ['access'], route: routes.listFiles },
    { method: 'GET', path: '/api/file/:id', guards: ['access'], route: routes.showFile },
    { method: 'DELETE', path: '/api/file/:id', guards: ['access', 'origin'], route: routes.deleteFile },
    { method: 'GET', path: '/file/:id', guards: ['access'], route: routes.getFile },
  ];
  if (routes.inbox !== undefined)
    lines.push({ method: 'GET', path: '/api/inbox', guards: ['host'], route: routes.inbox, isHidden: true });
  const names = new Map(Object.entries(routes).map(([name, route]) => [route, name]));
  return lines.map((line) => ({ ...line, name: names.get(line.route) ?? line.path }));
}
