// The route table of the back end: calls of an app's server with a service key. Each line names the scope that it needs.
import type { AppList } from '../apps/clients/app.ts';
import type { AccessCheck } from '../auth/tokens/check-access-token.ts';
import type { ServiceDeps } from '../service/deps.ts';
import type { ServiceScope } from '../service/service-key.ts';
import type { Route } from './interface/route.ts';
import type { RouteLine } from './interface/route-line.ts';
import { serviceBlockRoute, serviceDeleteUserRoute } from './routes/service/act-on-user.ts';
import { serviceChangeUserRoute } from './routes/service/change-user.ts';
import { serviceCheckTokenRoute } from './routes/service/check-token.ts';
import { serviceEndSessionsRoute } from './routes/service/end-user-sessions.ts';
import { serviceFindUserRoute } from './routes/service/find-user.ts';
import { listEventsRoute } from './routes/service/list-events.ts';
import { serviceListSessionsRoute } from './routes/service/list-user-sessions.ts';
import { serviceListUsersRoute } from './routes/service/list-users.ts';
import { serviceShowUserRoute } from './routes/service/show-user.ts';
import type { Routes } from './routes.ts';

export type ServiceTableParts = {
  readonly deps: ServiceDeps;
  readonly apps: AppList;
  /** The check of the access guard, which remembers tokens. */
  readonly checkAccess: AccessCheck;
  /** The routes of files share their parts with the calls of users. */
  readonly routes: Routes;
};

export function createServiceTable({ deps, apps, checkAccess, routes }: ServiceTableParts): RouteLine[] {
  const users = '/api/service/users';
  const user = `${users}/:id`;
  const files = '/api/service/files';
  const file = `${files}/:id`;
  return [
    line('listUsers', 'GET', users, 'users:read', serviceListUsersRoute(deps)),
    line('findUser', 'POST', `${users}/find`, 'users:read', serviceFindUserRoute(deps)),
    line('showUser', 'GET', user, 'users:read', serviceShowUserRoute(deps)),
    line('updateUser', 'PATCH', user, 'users:write', serviceChangeUserRoute(deps)),
    line('deleteUser', 'DELETE', user, 'users:write', serviceDeleteUserRoute(deps)),
    line('blockUser', 'POST', `${user}/block`, 'users:write', serviceBlockRoute(deps, 'block')),
    line('unblockUser', 'POST', `${user}/unblock`, 'users:write', serviceBlockRoute(deps, 'unblock')),
    line('listUserSessions', 'GET', `${user}/sessions`, 'users:read', serviceListSessionsRoute(deps, apps)),
    line('endUserSessions', 'POST', `${user}/sessions/end`, 'sessions:end', serviceEndSessionsRoute(deps)),
    line('checkToken', 'POST', '/api/service/tokens/check', 'users:read', serviceCheckTokenRoute(deps, checkAccess)),
    line('listUserFiles', 'GET', `${user}/files`, 'files:read', routes.listUserFiles),
    line('showUserFile', 'GET', file, 'files:read', routes.showUserFile),
    line('getUserFile', 'GET', `${file}/content`, 'files:read', routes.getUserFile),
    line('uploadUserFile', 'POST', files, 'files:write', routes.uploadUserFile),
    line('deleteUserFile', 'DELETE', file, 'files:write', routes.deleteUserFile),
    line('listEvents', 'GET', '/api/service/events', 'events:read', listEventsRoute(deps)),
  ];
}

function line(name: string, method: RouteLine['method'], path: string, scope: ServiceScope, route: Route): RouteLine {
  return { name, tag: 'back-end', method, path, guards: ['service'], scope, route };
}
