// The route table: every line of the API, from the tables of its subjects, and the parts that routes of several subjects share.
import type { LimitRule } from '../abuse/limits.ts';
import type { AppDeps } from '../apps/deps.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { AccessCheck } from '../auth/tokens/check-access-token.ts';
import type { BackendDeps } from '../backend/deps.ts';
import type { FileDeps } from '../files/deps.ts';
import type { InboxStore } from '../messages/inbox.ts';
import { type AdminDeps, createAdminTable } from './admin-table.ts';
import { createAuthTable } from './auth-table.ts';
import { createBackendTable } from './backend-table.ts';
import { createFileTable } from './file-table.ts';
import type { CookieWriter } from './interface/cookies.ts';
import { paths } from './interface/paths.ts';
import type { RouteLine } from './interface/route-line.ts';
import { createContentSender } from './routes/files/send-content.ts';
import { createUploadReceiver } from './routes/files/uploads/receive-upload.ts';
import { inboxRoute } from './routes/inbox.ts';
import type { FileServing } from './transfer/serve-file.ts';

type RouteParts = {
  readonly auth: AuthDeps;
  readonly files: FileDeps;
  readonly apps: AppDeps;
  readonly backend: BackendDeps & AdminDeps;
  /** The check of the access guard, which remembers tokens. */
  readonly checkAccess: AccessCheck;
  readonly cookies: CookieWriter;
  readonly publicUrl: string;
  /** Undefined if no messages are captured. */
  readonly inbox: InboxStore | undefined;
  readonly delivery: FileServing;
  readonly uploadsPerUser: readonly LimitRule[];
  readonly isStopping: () => boolean;
};

export function createRouteTable(parts: RouteParts): RouteLine[] {
  const { auth, files, apps, backend, checkAccess, cookies, publicUrl, inbox, uploadsPerUser, isStopping } = parts;
  // One cache of small files and one of variants, for all callers.
  const sendContent = createContentSender(files, parts.delivery);
  const receiveUpload = createUploadReceiver(files);
  const fileDeps = { ...files, secrets: auth.secrets };
  return [
    ...createAuthTable(auth, apps, cookies),
    ...createFileTable({ deps: fileDeps, publicUrl, uploadsPerUser, sendContent, receiveUpload }),
    ...(inbox === undefined ? [] : [inboxLine(inbox, isStopping)]),
    ...createBackendTable({ deps: backend, apps: apps.apps, checkAccess, sendContent, receiveUpload }),
    ...createAdminTable(backend, apps.apps, cookies),
  ];
}

function inboxLine(inbox: InboxStore, isStopping: () => boolean): RouteLine {
  const route = inboxRoute({ inbox, isStopping });
  return { name: 'inbox', tag: 'service', method: 'GET', path: paths.inbox, guards: ['host'], isHidden: true, route };
}
