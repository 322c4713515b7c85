// POST /api/auth/apps/consent: the user allows an app what it asks for. The sign-in page of the service calls it.
import { allowApp } from '../../../../apps/consents/allow-app.ts';
import type { AppDeps } from '../../../../apps/deps.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { authorizationTicketField } from './continue-to.ts';

export function allowAppRoute(deps: AppDeps) {
  return defineRoute({
    summary: 'Allow an app',
    description:
      'Takes the ticket of the sign-in page, which names the app and what it asks for. Adds to what the user allowed the app before. Only the browser in which the user signed in may call: with the cookies JWT and SSO of one session, soon after a sign-in or a proof.',
    success: 'APP_ALLOWED',
    failures: ['AUTHORIZATION_EXPIRED'],
    body: object({ ticket: authorizationTicketField }),
    handle: async ({ body, caller }) => {
      await allowApp(deps, { userId: caller.userId, ticket: body.ticket });
      return { data: null };
    },
  });
}
