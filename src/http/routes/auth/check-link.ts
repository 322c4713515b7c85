// POST /api/auth/email/link/check: shows the masked account of a sign-in link and whether this browser asked for it. The link stays valid.
import { checkLink } from '../../../auth/check-link.ts';
import type { AuthDeps } from '../../../auth/deps.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, object, text } from '../../interface/schema.ts';
import { linkTokenField } from '../fields.ts';
import { continueTo, continueToField } from './continue-to.ts';

export function checkLinkRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Check a sign-in link without using it',
    description: 'For landing pages: returns the masked account, so that the user sees it before signing in.',
    success: 'LINK_CHECKED',
    failures: ['LINK_INVALID', 'LINK_EXPIRED'],
    body: object({ token: linkTokenField }),
    data: object({ account: text(), sameBrowser: flag(), continueTo: continueToField }),
    example: { account: 'a•••@example.com', sameBrowser: true, continueTo: null },
    handle: async ({ body, cookie }) => {
      const checked = await checkLink(deps, body.token, cookie('lb'));
      const { account, isSameBrowser } = checked;
      return { data: { account, sameBrowser: isSameBrowser, continueTo: continueTo(checked) } };
    },
  });
}
