// POST /api/auth/not-me: ends every session of the account that a notice is about.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { reportNotMe } from '../../../../auth/notices/report-not-me.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { noticeTokenField } from '../../fields.ts';

export function reportNotMeRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Say that a change was not yours',
    description:
      'Takes the token from the fragment of the link in a notice. Ends every session of the account and every open sign-in link, and cancels a scheduled change of the phone number. The link of a notice about a changed number also restores the old one; if another account has it by now, the answer is PHONE_TAKEN and the link stays valid. A link works once, within 72 hours; that of a scheduled change works at least until the change takes effect.',
    success: 'ALL_SESSIONS_ENDED',
    failures: ['LINK_INVALID', 'LINK_EXPIRED', 'PHONE_TAKEN'],
    body: object({ token: noticeTokenField }),
    handle: async ({ body, language }) => {
      await reportNotMe(deps, { token: body.token, language });
      return { data: null };
    },
  });
}
