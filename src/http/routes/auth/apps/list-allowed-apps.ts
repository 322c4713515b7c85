// GET /api/auth/apps: the apps that the caller allowed to use the account.
import { appScopes } from '../../../../apps/clients/app.ts';
import { listAllowedApps } from '../../../../apps/consents/list-allowed-apps.ts';
import type { AppDeps } from '../../../../apps/deps.ts';
import { defineRoute } from '../../../interface/route.ts';
import { list, object, oneOf, text } from '../../../interface/schema.ts';
import { isoTime } from '../../fields.ts';

export function listAllowedAppsRoute(deps: AppDeps) {
  return defineRoute({
    summary: 'List the apps that I allowed',
    description: 'Apps of the operator need no permission, and are listed only if one asked for it.',
    success: 'ALLOWED_APPS',
    failures: [],
    data: object({
      apps: list(object({ id: text(), name: text(), scopes: list(oneOf(appScopes)), allowedAt: isoTime })),
    }),
    handle: async ({ caller }) => {
      const apps = await listAllowedApps(deps, caller.userId);
      const shown = apps.map(({ id, name, scopes, allowedAt }) => ({
        id,
        name,
        scopes: [...scopes],
        allowedAt: new Date(allowedAt).toISOString(),
      }));
      return { data: { apps: shown } };
    },
  });
}
