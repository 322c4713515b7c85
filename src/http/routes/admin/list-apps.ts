// GET /api/admin/apps: the apps that sign users in here, as the operator listed them.
import { type AppList, appScopes } from '../../../apps/clients/app.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, list, object, oneOf, text } from '../../interface/schema.ts';

export function adminAppsRoute({ all }: AppList) {
  return defineRoute({
    summary: 'List the apps',
    success: 'ADMIN_VIEW',
    failures: [],
    data: object({
      apps: list(
        object({
          id: text(),
          name: text(),
          kind: oneOf(['public', 'confidential']),
          isFirstParty: flag({ description: 'Users are not asked for consent' }),
          scopes: list(oneOf(appScopes)),
          redirectUris: list(text()),
          logoutUris: list(text()),
        }),
      ),
    }),
    handle: async () => ({
      data: {
        apps: all.map(({ id, name, secretHash, isFirstParty, scopes, redirectUris, logoutUris }) => ({
          id,
          name,
          kind: secretHash === undefined ? ('public' as const) : ('confidential' as const),
          isFirstParty,
          scopes: [...scopes],
          redirectUris: [...redirectUris],
          logoutUris: [...logoutUris],
        })),
      },
    }),
  });
}
