// /api/admin/session: a link from the command line becomes a sign-in of the admin page, which is told of and ended here.
import { adminPolicy } from '../../../support/admin.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { enterAsAdmin } from '../../../support/enter-as-admin.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { iso } from './present.ts';

const data = object({
  name: text({ description: 'As the audit log has it' }),
  endsAt: isoTime,
  idleSeconds: integer({ description: 'After so long without a call it ends' }),
});

const { idleSeconds } = adminPolicy;
const example = { name: 'Ada', endsAt: '2026-11-15T17:30:00.000Z', idleSeconds };

export function adminEnterRoute(deps: SupportDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign in to the admin page',
    description:
      'Takes the token of a link that gatehouse admin token printed, once, and sets the cookie ADMIN, which works under /api/admin alone.',
    success: 'ADMIN_ENTERED',
    failures: ['ADMIN_REQUIRED'],
    body: object({ token: text({ minLength: 1, maxLength: 256, description: 'The token of the link’s fragment' }) }),
    data,
    example,
    handle: async ({ body }) => {
      const { admin, session } = await enterAsAdmin(deps, body.token.trim());
      const seconds = (admin.endsAt - deps.clock.now()) / 1000;
      return {
        data: { name: admin.name, endsAt: iso(admin.endsAt), idleSeconds },
        cookies: [cookies.admin(session, seconds)],
      };
    },
  });
}

export function adminMeRoute() {
  return defineRoute({
    summary: 'Who is signed in to the admin page',
    success: 'ADMIN_VIEW',
    failures: [],
    data,
    example,
    handle: async ({ admin }) => ({ data: { name: admin.name, endsAt: iso(admin.endsAt), idleSeconds } }),
  });
}

export function adminLeaveRoute({ admins, clock }: SupportDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign out of the admin page',
    success: 'ADMIN_LEFT',
    failures: [],
    handle: async ({ admin }) => {
      await admins.end({ id: admin.id, reason: 'left', now: clock.now() });
      return { data: null, cookies: [cookies.admin('', 0)] };
    },
  });
}
