// The route table of the admin page.
import type { AppList } from '../apps/app.ts';
import type { ServiceDeps } from '../service/deps.ts';
import type { CookieWriter } from './interface/cookies.ts';
import type { Route } from './interface/route.ts';
import type { GuardName, RouteLine } from './interface/route-line.ts';
import {
  adminActRoute,
  adminClearLimitsRoute,
  adminDeleteFileRoute,
  adminDeleteUserRoute,
  adminEndSessionRoute,
  adminResendRoute,
} from './routes/admin/act-on-user.ts';
import { adminCancelPhoneRoute, adminChangePhoneRoute, adminRemoveEmailRoute } from './routes/admin/change-phone.ts';
import { adminFindUsersRoute } from './routes/admin/find-users.ts';
import { adminAppsRoute } from './routes/admin/list-apps.ts';
import { adminClearRecipientRoute, adminLookUpRoute } from './routes/admin/look-up-recipient.ts';
import { adminExportRoute, adminRevealRoute } from './routes/admin/reveal-user.ts';
import {
  adminCreateServiceKeyRoute,
  adminRevokeServiceKeyRoute,
  adminRotateServiceKeyRoute,
  adminServiceKeysRoute,
} from './routes/admin/service-keys.ts';
import { adminEnterRoute, adminLeaveRoute, adminMeRoute } from './routes/admin/session.ts';
import {
  adminFilesRoute,
  adminMessagesRoute,
  adminShowUserRoute,
  adminTimelineRoute,
} from './routes/admin/show-user.ts';
import { adminAuditRoute, adminLiftRoute, adminSpendRoute } from './routes/admin/spend-and-audit.ts';

export function createAdminTable(deps: ServiceDeps, apps: AppList, cookies: CookieWriter): RouteLine[] {
  const user = '/api/admin/users/:id';
  const keys = '/api/admin/service-keys';
  return [
    line('adminEnter', 'POST', '/api/admin/session', adminEnterRoute(deps, cookies), 'admin-enabled'),
    line('adminMe', 'GET', '/api/admin/session', adminMeRoute()),
    line('adminLeave', 'DELETE', '/api/admin/session', adminLeaveRoute(deps, cookies)),
    line('adminFindUsers', 'POST', '/api/admin/users/search', adminFindUsersRoute(deps)),
    line('adminShowUser', 'GET', user, adminShowUserRoute(deps, apps)),
    line('adminTimeline', 'GET', `${user}/timeline`, adminTimelineRoute(deps)),
    line('adminFiles', 'GET', `${user}/files`, adminFilesRoute(deps)),
    line('adminMessages', 'GET', `${user}/messages`, adminMessagesRoute(deps)),
    line('adminReveal', 'POST', `${user}/reveal`, adminRevealRoute(deps, apps)),
    line('adminExport', 'POST', `${user}/export`, adminExportRoute(deps, apps)),
    line('adminBlock', 'POST', `${user}/block`, adminActRoute(deps, 'block', 'Block a user')),
    line('adminUnblock', 'POST', `${user}/unblock`, adminActRoute(deps, 'unblock', 'Unblock a user')),
    line('adminSignOut', 'POST', `${user}/sign-out`, adminActRoute(deps, 'sign out', 'Sign a user out everywhere')),
    line('adminChangePhone', 'POST', `${user}/phone-change`, adminChangePhoneRoute(deps)),
    line('adminCancelPhone', 'DELETE', `${user}/phone-change`, adminCancelPhoneRoute(deps)),
    line('adminRemoveEmail', 'POST', `${user}/email/remove`, adminRemoveEmailRoute(deps)),
    line('adminDeleteUser', 'POST', `${user}/delete`, adminDeleteUserRoute(deps)),
    line('adminClearLimits', 'POST', `${user}/limits/clear`, adminClearLimitsRoute(deps)),
    line('adminEndSession', 'POST', `${user}/sessions/:session/end`, adminEndSessionRoute(deps)),
    line('adminDeleteFile', 'POST', `${user}/files/:file/delete`, adminDeleteFileRoute(deps)),
    line('adminResend', 'POST', `${user}/messages/:message/resend`, adminResendRoute(deps)),
    line('adminLookUp', 'POST', '/api/admin/recipients/search', adminLookUpRoute(deps)),
    line('adminClearRecipient', 'POST', '/api/admin/recipients/clear', adminClearRecipientRoute(deps)),
    line('adminSpend', 'GET', '/api/admin/spend', adminSpendRoute(deps)),
    line('adminLift', 'POST', '/api/admin/spend/lift', adminLiftRoute(deps)),
    line('adminApps', 'GET', '/api/admin/apps', adminAppsRoute(apps)),
    line('adminServiceKeys', 'GET', keys, adminServiceKeysRoute(deps)),
    line('adminCreateServiceKey', 'POST', keys, adminCreateServiceKeyRoute(deps)),
    line('adminRotateServiceKey', 'POST', `${keys}/:id/rotate`, adminRotateServiceKeyRoute(deps)),
    line('adminRevokeServiceKey', 'POST', `${keys}/:id/revoke`, adminRevokeServiceKeyRoute(deps)),
    line('adminAudit', 'GET', '/api/admin/audit', adminAuditRoute(deps)),
  ];
}

function line(
  name: string,
  method: RouteLine['method'],
  path: string,
  route: Route,
  guard: GuardName = 'admin',
): RouteLine {
  return { name, tag: 'admin', method, path, guards: [guard], route };
}
