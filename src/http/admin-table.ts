// The route table of the admin page.
import type { AppList } from '../apps/clients/app.ts';
import type { BackendDeps } from '../backend/deps.ts';
import type { SupportDeps } from '../support/deps.ts';
import type { StaffRole } from '../support/staff/staff-role.ts';
import type { CookieWriter } from './interface/cookies.ts';
import type { Route } from './interface/route.ts';
import type { RouteLine } from './interface/route-line.ts';
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
import { adminOverviewRoute } from './routes/admin/overview.ts';
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

/** Staff also manage the keys of the back ends. */
export type AdminDeps = SupportDeps & Pick<BackendDeps, 'serviceKeys'>;

export function createAdminTable(deps: AdminDeps, apps: AppList, cookies: CookieWriter): RouteLine[] {
  const user = '/api/admin/users/:id';
  const keys = '/api/admin/service-keys';
  return [
    enterLine(adminEnterRoute(deps, cookies)),
    line('viewer', 'adminMe', 'GET', '/api/admin/session', adminMeRoute()),
    line('viewer', 'adminLeave', 'DELETE', '/api/admin/session', adminLeaveRoute(deps, cookies)),
    line('viewer', 'adminOverview', 'GET', '/api/admin/overview', adminOverviewRoute(deps)),
    line('viewer', 'adminFindUsers', 'POST', '/api/admin/users/search', adminFindUsersRoute(deps)),
    line('viewer', 'adminShowUser', 'GET', user, adminShowUserRoute(deps, apps)),
    line('viewer', 'adminTimeline', 'GET', `${user}/timeline`, adminTimelineRoute(deps)),
    line('viewer', 'adminFiles', 'GET', `${user}/files`, adminFilesRoute(deps)),
    line('viewer', 'adminMessages', 'GET', `${user}/messages`, adminMessagesRoute(deps)),
    line('support', 'adminReveal', 'POST', `${user}/reveal`, adminRevealRoute(deps, apps)),
    line('owner', 'adminExport', 'POST', `${user}/export`, adminExportRoute(deps, apps)),
    line('support', 'adminBlock', 'POST', `${user}/block`, adminActRoute(deps, 'block', 'Block a user')),
    line('support', 'adminUnblock', 'POST', `${user}/unblock`, adminActRoute(deps, 'unblock', 'Unblock a user')),
    line(
      'support',
      'adminSignOut',
      'POST',
      `${user}/sign-out`,
      adminActRoute(deps, 'sign out', 'Sign a user out everywhere'),
    ),
    line('support', 'adminChangePhone', 'POST', `${user}/phone-change`, adminChangePhoneRoute(deps)),
    line('support', 'adminCancelPhone', 'DELETE', `${user}/phone-change`, adminCancelPhoneRoute(deps)),
    line('support', 'adminRemoveEmail', 'POST', `${user}/email/remove`, adminRemoveEmailRoute(deps)),
    line('owner', 'adminDeleteUser', 'POST', `${user}/delete`, adminDeleteUserRoute(deps)),
    line('support', 'adminClearLimits', 'POST', `${user}/limits/clear`, adminClearLimitsRoute(deps)),
    line('support', 'adminEndSession', 'POST', `${user}/sessions/:session/end`, adminEndSessionRoute(deps)),
    line('owner', 'adminDeleteFile', 'POST', `${user}/files/:file/delete`, adminDeleteFileRoute(deps)),
    line('support', 'adminResend', 'POST', `${user}/messages/:message/resend`, adminResendRoute(deps)),
    line('viewer', 'adminLookUp', 'POST', '/api/admin/recipients/search', adminLookUpRoute(deps)),
    line('support', 'adminClearRecipient', 'POST', '/api/admin/recipients/clear', adminClearRecipientRoute(deps)),
    line('viewer', 'adminSpend', 'GET', '/api/admin/spend', adminSpendRoute(deps)),
    line('owner', 'adminLift', 'POST', '/api/admin/spend/lift', adminLiftRoute(deps)),
    line('viewer', 'adminApps', 'GET', '/api/admin/apps', adminAppsRoute(apps)),
    line('viewer', 'adminServiceKeys', 'GET', keys, adminServiceKeysRoute(deps)),
    line('owner', 'adminCreateServiceKey', 'POST', keys, adminCreateServiceKeyRoute(deps)),
    line('owner', 'adminRotateServiceKey', 'POST', `${keys}/:id/rotate`, adminRotateServiceKeyRoute(deps)),
    line('owner', 'adminRevokeServiceKey', 'POST', `${keys}/:id/revoke`, adminRevokeServiceKeyRoute(deps)),
    line('viewer', 'adminAudit', 'GET', '/api/admin/audit', adminAuditRoute(deps)),
  ];
}

function enterLine(route: Route): RouteLine {
  const path = '/api/admin/session';
  return { name: 'adminEnter', tag: 'admin', method: 'POST', path, guards: ['admin-enabled'], route };
}

/** `role`: the least role that may call. The documents of the API say it too. */
function line(role: StaffRole, name: string, method: RouteLine['method'], path: string, route: Route): RouteLine {
  const description = [route.description, `Least role: ${role}.`].filter((text) => text !== undefined).join(' ');
  return { name, tag: 'admin', method, path, guards: ['admin'], role, route: { ...route, description } };
}
