// DELETE /api/auth/apps/{id}: withdraws what the caller allowed an app, and ends its sessions.

import { withdrawApp } from '../../../../apps/consents/withdraw-app.ts';
import type { AppDeps } from '../../../../apps/deps.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';

export function withdrawAppRoute(deps: AppDeps) {
  return defineRoute({
    summary: 'Remove the access of an app',
    description: 'The app is signed out at once, and must ask again. Succeeds too if the app had no access.',
    success: 'APP_WITHDRAWN',
    failures: [],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      await withdrawApp(deps, { userId: caller.userId, appId: params.id });
      return { data: null };
    },
  });
}
