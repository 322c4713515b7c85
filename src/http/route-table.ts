// The route table for apps: method, path, guards, route. The table of the admin page is in admin-table.ts.
import { paths } from './interface/paths.ts';
import type { RouteLine, RouteTag } from './interface/route-line.ts';
import type { Routes } from './routes.ts';

type Line = Omit<RouteLine, 'name' | 'tag'>;

export function createRouteTable(routes: Routes): RouteLine[] {
  const auth: Line[] = [
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
  ];
  const file: Line[] = [
    { method: 'POST', path: '/api/file/upload', guards: ['access', 'origin'], route: routes.uploadFile },
    { method: 'GET', path: '/api/file/purposes', guards: ['access'], route: routes.listPurposes },
    { method: 'GET', path: '/api/file', guards: ['access'], route: routes.listFiles },
    { method: 'GET', path: '/api/file/:id', guards: ['access'], route: routes.showFile },
    { method: 'DELETE', path: '/api/file/:id', guards: ['access', 'origin'], route: routes.deleteFile },
    { method: 'GET', path: paths.file, guards: ['access'], route: routes.getFile },
  ];
  const service: Line[] =
    routes.inbox === undefined
      ? []
      : [{ method: 'GET', path: paths.inbox, guards: ['host'], route: routes.inbox, isHidden: true }];
  const names = new Map(Object.entries(routes).map(([name, route]) => [route, name]));
  const named = (tag: RouteTag, lines: readonly Line[]) =>
    lines.map((line) => ({ ...line, tag, name: names.get(line.route) ?? line.path }));
  return [...named('auth', auth), ...named('file', file), ...named('service', service)];
}
