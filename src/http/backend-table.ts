// The route table of the back end: calls of an app's server with a service key. Each line names the scope that it needs.
import type { AppList } from '../apps/clients/app.ts';
import type { AccessCheck } from '../auth/tokens/check-access-token.ts';
import type { BackendDeps } from '../backend/deps.ts';
import type { BackendScope } from '../backend/service-key.ts';
import type { Route } from './interface/route.ts';
import type { RouteLine } from './interface/route-line.ts';
import { backendBlockRoute, backendDeleteUserRoute } from './routes/backend/act-on-user.ts';
import { changeUserDataRoute } from './routes/backend/change-user-data.ts';
import { backendCheckTokenRoute } from './routes/backend/check-token.ts';
import { deleteUserFileRoute } from './routes/backend/delete-user-file.ts';
import { backendEndSessionsRoute } from './routes/backend/end-user-sessions.ts';
import { backendFindUserRoute } from './routes/backend/find-user.ts';
import { getUserFileRoute } from './routes/backend/get-user-file.ts';
import { listEventsRoute } from './routes/backend/list-events.ts';
import { listUserFilesRoute } from './routes/backend/list-user-files.ts';
import { backendListSessionsRoute } from './routes/backend/list-user-sessions.ts';
import { backendListUsersRoute } from './routes/backend/list-users.ts';
import { backendShowUserRoute } from './routes/backend/show-user.ts';
import { showUserFileRoute } from './routes/backend/show-user-file.ts';
import { uploadUserFileRoute } from './routes/backend/upload-user-file.ts';
import type { SendContent } from './routes/files/send-content.ts';
import type { ReceiveUpload } from './routes/files/uploads/receive-upload.ts';

type BackendTableParts = {
  readonly deps: BackendDeps;
  readonly apps: AppList;
  /** The check of the access guard, which remembers tokens. */
  readonly checkAccess: AccessCheck;
  readonly sendContent: SendContent;
  readonly receiveUpload: ReceiveUpload;
};

export function createBackendTable({
  deps,
  apps,
  checkAccess,
  sendContent,
  receiveUpload,
}: BackendTableParts): RouteLine[] {
  const users = '/api/service/users';
  const user = `${users}/:id`;
  const files = '/api/service/files';
  const file = `${files}/:id`;
  return [
    line('listUsers', 'GET', users, 'users:read', backendListUsersRoute(deps)),
    line('findUser', 'POST', `${users}/find`, 'users:read', backendFindUserRoute(deps)),
    line('showUser', 'GET', user, 'users:read', backendShowUserRoute(deps)),
    line('updateUser', 'PATCH', user, 'users:write', changeUserDataRoute(deps)),
    line('deleteUser', 'DELETE', user, 'users:write', backendDeleteUserRoute(deps)),
    line('blockUser', 'POST', `${user}/block`, 'users:write', backendBlockRoute(deps, 'block')),
    line('unblockUser', 'POST', `${user}/unblock`, 'users:write', backendBlockRoute(deps, 'unblock')),
    line('listUserSessions', 'GET', `${user}/sessions`, 'users:read', backendListSessionsRoute(deps, apps)),
    line('endUserSessions', 'POST', `${user}/sessions/end`, 'sessions:end', backendEndSessionsRoute(deps)),
    line('checkToken', 'POST', '/api/service/tokens/check', 'users:read', backendCheckTokenRoute(deps, checkAccess)),
    line('listUserFiles', 'GET', `${user}/files`, 'files:read', listUserFilesRoute(deps)),
    line('showUserFile', 'GET', file, 'files:read', showUserFileRoute(deps)),
    line('getUserFile', 'GET', `${file}/content`, 'files:read', getUserFileRoute(deps, sendContent)),
    line('uploadUserFile', 'POST', files, 'files:write', uploadUserFileRoute(deps, receiveUpload)),
    line('deleteUserFile', 'DELETE', file, 'files:write', deleteUserFileRoute(deps)),
    line('listEvents', 'GET', '/api/service/events', 'events:read', listEventsRoute(deps)),
  ];
}

function line(name: string, method: RouteLine['method'], path: string, scope: BackendScope, route: Route): RouteLine {
  return { name, tag: 'back-end', method, path, guards: ['backend'], scope, route };
}
