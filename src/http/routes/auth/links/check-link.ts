// POST /api/auth/email/link/check: shows the masked account of a sign-in link and whether this browser asked for it. The link stays valid.
import type { AppList } from '../../../../apps/clients/app.ts';
import { readAuthorizationTicket } from '../../../../apps/requests/authorization-ticket.ts';
import type { AuthDeps } from '../../../../auth/deps.ts';
import { checkLink } from '../../../../auth/links/check-link.ts';
import type { LinkTarget } from '../../../../auth/links/login-link.ts';
import { defineRoute } from '../../../interface/route.ts';
import { flag, nullable, object, text } from '../../../interface/schema.ts';
import { linkTokenField } from '../../fields.ts';
import { continueTo, continueToField } from '../apps/continue-to.ts';

const appField = nullable(
  text({
    description: 'The name of the app that the link goes on to. Null if there is none, or if its sign-in has expired',
  }),
);

function nameApp({ secrets, clock }: AuthDeps, apps: AppList, { authorizationTicket }: LinkTarget): string | null {
  const ticket =
    authorizationTicket === undefined ? undefined : readAuthorizationTicket(secrets, authorizationTicket, clock.now());
  return ticket === undefined ? null : (apps.find(ticket.request.appId)?.name ?? null);
}

export function checkLinkRoute(deps: AuthDeps, apps: AppList) {
  return defineRoute({
    summary: 'Check a sign-in link without using it',
    description: 'For landing pages: returns the masked account, so that the user sees it before signing in.',
    success: 'LINK_CHECKED',
    failures: ['LINK_INVALID', 'LINK_EXPIRED'],
    body: object({ token: linkTokenField }),
    data: object({ account: text(), sameBrowser: flag(), continueTo: continueToField, app: appField }),
    example: { account: 'a•••@example.com', sameBrowser: true, continueTo: null, app: null },
    handle: async ({ body, cookie }) => {
      const checked = await checkLink(deps, body.token, cookie('lb'));
      const { account, isSameBrowser } = checked;
      return {
        data: {
          account,
          sameBrowser: isSameBrowser,
          continueTo: continueTo(checked),
          app: nameApp(deps, apps, checked),
        },
      };
    },
  });
}
