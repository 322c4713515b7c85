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
    { method: 'POST', path: '/api/auth/phone/claim', guards: [], route: routes.claimPhone },
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
    { method: 'DELETE', path: '/api/auth/email', guards: ['access', 'origin', 'recent'], route: routes.removeEmail },
    {
      method: 'POST',
      path: '/api/auth/phone/change/send',
      guards: ['access', 'origin', 'captcha', 'recent'],
      route: routes.sendPhoneChangeOtp,
    },
    {
      method: 'PUT',
      path: '/api/auth/phone/change',
      guards: ['access', 'origin', 'recent'],
      route: routes.changePhone,
    },
    { method: 'GET', path: '/api/auth/phone/change', guards: ['access'], route: routes.showPhoneChange },
    {
      method: 'DELETE',
      path: '/api/auth/phone/change',
      guards: ['access', 'origin'],
      route: routes.cancelPhoneChange,
    },
    { method: 'POST', path: '/api/auth/not-me', guards: [], route: routes.reportNotMe },
    { method: 'POST', path: '/api/auth/refresh-token', guards: ['refresh-origin'], route: routes.refreshTokenPair },
    { method: 'POST', path: '/api/auth/logout', guards: ['access', 'origin'], route: routes.signOut },
    {
      method: 'POST',
      path: '/api/auth/proof/send',
      guards: ['access', 'origin', 'captcha'],
      route: routes.sendProofOtp,
    },
    {
      method: 'POST',
      path: '/api/auth/proof',
      guards: ['access', 'origin', 'refresh-origin'],
      route: routes.proveSession,
    },
    {
      method: 'POST',
      path: paths.consent,
      guards: ['access', 'origin', 'browser', 'recent'],
      route: routes.allowApp,
    },
    { method: 'GET', path: '/api/auth/me', guards: ['access'], route: routes.me },
    { method: 'DELETE', path: '/api/auth/me', guards: ['access', 'origin', 'recent'], route: routes.deleteAccount },
    { method: 'GET', path: '/api/auth/sessions', guards: ['access'], route: routes.listSessions },
    { method: 'DELETE', path: '/api/auth/sessions/:id', guards: ['access', 'origin'], route: routes.endSession },
    { method: 'GET', path: '/api/auth/apps', guards: ['access'], route: routes.listAllowedApps },
    { method: 'DELETE', path: '/api/auth/apps/:id', guards: ['access', 'origin'], route: routes.withdrawApp },
  ];
  const file: Line[] = [
    { method: 'POST', path: paths.uploads, guards: ['access', 'origin'], route: routes.uploadFile },
    { method: 'PATCH', path: paths.upload, guards: ['access', 'origin'], route: routes.appendUpload },
    { method: 'GET', path: paths.upload, guards: ['access', 'origin'], route: routes.showUpload },
    { method: 'DELETE', path: paths.upload, guards: ['access', 'origin'], route: routes.cancelUpload },
    { method: 'GET', path: '/api/file/uploads', guards: ['access'], route: routes.listUploads },
    { method: 'GET', path: '/api/file/purposes', guards: ['access'], route: routes.listPurposes },
    { method: 'GET', path: '/api/file', guards: ['access'], route: routes.listFiles },
    { method: 'GET', path: '/api/file/trash', guards: ['access'], route: routes.listTrash },
    { method: 'DELETE', path: '/api/file/trash', guards: ['access', 'origin'], route: routes.emptyTrash },
    { method: 'DELETE', path: '/api/file/trash/:id', guards: ['access', 'origin'], route: routes.removeFromTrash },
    { method: 'GET', path: '/api/file/:id', guards: ['access'], route: routes.showFile },
    { method: 'DELETE', path: '/api/file/:id', guards: ['access', 'origin'], route: routes.deleteFile },
    { method: 'POST', path: '/api/file/:id/restore', guards: ['access', 'origin'], route: routes.restoreFile },
    { method: 'POST', path: '/api/file/:id/links', guards: ['access', 'origin'], route: routes.createFileLink },
    { method: 'GET', path: '/api/file/:id/links', guards: ['access'], route: routes.listFileLinks },
    { method: 'DELETE', path: '/api/file/:id/links', guards: ['access', 'origin'], route: routes.revokeFileLinks },
    {
      method: 'DELETE',
      path: '/api/file/:id/links/:linkId',
      guards: ['access', 'origin'],
      route: routes.revokeFileLink,
    },
    { method: 'PUT', path: '/api/file/:id/readers', guards: ['access', 'origin'], route: routes.setFileReaders },
    { method: 'GET', path: '/api/file/:id/readers', guards: ['access'], route: routes.listFileReaders },
    { method: 'GET', path: paths.file, guards: ['access'], opensByLink: true, route: routes.getFile },
  ];
  const service: Line[] =
    routes.inbox === undefined
      ? []
      : [{ method: 'GET', path: paths.inbox, guards: ['host'], route: routes.inbox, isHidden: true }];
  const names = new Map(Object.entries(routes).map(([name, route]) => [route, name]));
  const named = (tag: RouteTag, lines: readonly Line[]) =>
    lines.map((line) => ({ ...line, tag, name: names.get(line.route) ?? line.path }));
  const forApps = (line: Line): Line => ({ ...line, appScope: 'files' });
  return [...named('auth', auth), ...named('file', file.map(forApps)), ...named('service', service)];
}
