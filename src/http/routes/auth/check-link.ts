// POST /api/auth/email/link/check: whose link it is, masked, and whether this browser asked for it; redeems nothing.
import { checkLink } from '../../../auth/check-link.ts';
import type { AuthDeps } from '../../../auth/deps.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, object, text } from '../../interface/schema.ts';
import { linkTokenField } from '../fields.ts';

export function checkLinkRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Look at a login link without using it',
    description:
      'For landing pages: names the account in masked form, so that a person sees what pressing the button will do.',
    success: 'LINK_CHECKED',
    failures: ['LINK_INVALID', 'LINK_EXPIRED'],
    body: object({ token: linkTokenField }),
    data: object({ account: text(), sameBrowser: flag() }),
    example: { account: 'a•••@example.com', sameBrowser: true },
    handle: async ({ body, cookie }) => {
      const { account, isSameBrowser } = await checkLink(deps, body.token, cookie('lb'));
      return { data: { account, sameBrowser: isSameBrowser } };
    },
  });
}
