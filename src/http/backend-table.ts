// The route table of the back end: calls of an app's server with a service key. Each line names the scope that it needs.
import type { AppList } from '../apps/clients/app.ts';
import type { AccessCheck } from '../auth/tokens/check-access-token.ts';
import type { BackendDeps } from '../backend/deps.ts';
import type { BackendScope } from '../backend/service-key.ts';
import type { Route } from './interface/route.ts';
import type { RouteLine } from './interface/route-line.ts';
import { backendBlockRoute, backendDeleteUserRoute } from './routes/backend/act-on-user.ts';
import { backendChangeUserRoute } from './routes/backend/change-user.ts';
import { backendCheckTokenRoute } from './routes/backend/check-token.ts';
import { backendEndSessionsRoute } from './routes/backend/end-user-sessions.ts';
import { backendFindUserRoute } from './routes/backend/find-user.ts';
import { listEventsRoute } from './routes/backend/list-events.ts';
import { backendListSessionsRoute } from './routes/backend/list-user-sessions.ts';
import { backendListUsersRoute } from './routes/backend/list-users.ts';
import { backendShowUserRoute } from './routes/backend/show-user.ts';
import type { Routes } from './routes.ts';

export type BackendTableParts = {
  readonly deps: BackendDeps;
  readonly apps: AppList;
  /** The check of the access guard, which remembers tokens. */
  readonly checkAccess: AccessCheck;
  /** The routes of files share their parts with the calls of users. */
  readonly routes: Routes;
};

export function createBackendTable({ deps, apps, checkAccess, routes }: BackendTableParts): RouteLine[] {
  const users = '/api/service/users';
  const user = `${users}/:id`;
  const files = '/api/service/files';
  const file = `${files}/:id`;
  return [
    line('listUsers', 'GET', users, 'users:read', backendListUsersRoute(deps)),
    line('findUser', 'POST', `${users}/find`, 'users:read', backendFindUserRoute(deps)),
    line('showUser', 'GET', user, 'users:read', backendShowUserRoute(deps)),
    line('updateUser', 'PATCH', user, 'users:write', backendChangeUserRoute(deps)),
    line('deleteUser', 'DELETE', user, 'users:write', backendDeleteUserRoute(deps)),
    line('blockUser', 'POST', `${user}/block`, 'users:write', backendBlockRoute(deps, 'block')),
    line('unblockUser', 'POST', `${user}/unblock`, 'users:write', backendBlockRoute(deps, 'unblock')),
    line('listUserSessions', 'GET', `${user}/sessions`, 'users:read', backendListSessionsRoute(deps, apps)),
    line('endUserSessions', 'POST', `${user}/sessions/end`, 'sessions:end', backendEndSessionsRoute(deps)),
    line('checkToken', 'POST', '/api/service/tokens/check', 'users:read', backendCheckTokenRoute(deps, checkAccess)),
    line('listUserFiles', 'GET', `${user}/files`, 'files:read', routes.listUserFiles),
    line('showUserFile', 'GET', file, 'files:read', routes.showUserFile),
    line('getUserFile', 'GET', `${file}/content`, 'files:read', routes.getUserFile),
    line('uploadUserFile', 'POST', files, 'files:write', routes.uploadUserFile),
    line('deleteUserFile', 'DELETE', file, 'files:write', routes.deleteUserFile),
    line('listEvents', 'GET', '/api/service/events', 'events:read', listEventsRoute(deps)),
  ];
}

function line(name: string, method: RouteLine['method'], path: string, scope: BackendScope, route: Route): RouteLine {
  return { name, tag: 'back-end', method, path, guards: ['service'], scope, route };
}
