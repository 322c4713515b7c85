// The route table with stubs instead of real parts: only what it describes is used, and no route is called.
import { createAppList } from '../../src/apps/clients/app.ts';
import type { AppDeps } from '../../src/apps/deps.ts';
import type { AuthDeps } from '../../src/auth/deps.ts';
import type { BackendDeps } from '../../src/backend/deps.ts';
import type { FileDeps } from '../../src/files/deps.ts';
import type { AdminDeps } from '../../src/http/admin-table.ts';
import { createCookieWriter } from '../../src/http/interface/cookies.ts';
import type { RouteLine } from '../../src/http/interface/route-line.ts';
import type { DocsFeature } from '../../src/http/pages/docs-routes.ts';
import { createRouteTable } from '../../src/http/route-table.ts';
import type { InboxStore } from '../../src/messages/inbox.ts';

/** As a service with these features has them. */
export function allLines(features: readonly DocsFeature[] = ['inbox', 'scanner']): RouteLine[] {
  const scanning = features.includes('scanner') ? {} : undefined;
  const files = { purposes: [], scanning } as unknown as FileDeps;
  return createRouteTable({
    auth: {} as AuthDeps,
    files,
    apps: { apps: createAppList([]) } as unknown as AppDeps,
    backend: files as BackendDeps & AdminDeps,
    checkAccess: () => Promise.reject(new Error('not called')),
    cookies: createCookieWriter(true),
    publicUrl: '',
    inbox: features.includes('inbox') ? ({} as InboxStore) : undefined,
    delivery: 'auto',
    uploadsPerUser: [],
    isStopping: () => false,
  });
}
