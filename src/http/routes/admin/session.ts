// /api/admin/session: signs a staff member in with a link from the command line, shows the session and ends it.

import type { SupportDeps } from '../../../support/deps.ts';
import { type Admin, adminPolicy } from '../../../support/staff/admin.ts';
import { enterAsAdmin } from '../../../support/staff/enter-as-admin.ts';
import { staffRoles } from '../../../support/staff/staff-role.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, named, object, oneOf, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { iso } from './present.ts';

const data = named(
  'StaffSession',
  object({
    name: text({ description: 'Name of the staff member in the audit log' }),
    role: oneOf(staffRoles, { description: 'What the staff member may do' }),
    endsAt: isoTime,
    idleSeconds: integer({ description: 'The session ends after this many seconds without a call' }),
  }),
);

const { idleSeconds } = adminPolicy;
const example = { name: 'Ada', role: 'support', endsAt: '2026-11-15T17:30:00.000Z', idleSeconds };

export function adminEnterRoute(deps: SupportDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Sign in to the admin page',
    description:
      'Takes the token of a link from “gatehouse admin token”. A token works once. Sets the cookie ADMIN, which is valid only under /api/admin.',
    success: 'ADMIN_ENTERED',
    failures: ['ADMIN_REQUIRED'],
    body: object({
      token: text({ minLength: 1, maxLength: 256, description: 'The token from the fragment of the link' }),
    }),
    data,
    example,
    cookies: ['ADMIN'],
    handle: async ({ body }) => {
      const { admin, session } = await enterAsAdmin(deps, body.token.trim());
      const seconds = (admin.endsAt - deps.clock.now()) / 1000;
      return {
        data: toStaff(admin),
        cookies: [cookies.admin(session, seconds)],
      };
    },
  });
}

export function adminMeRoute() {
  return defineRoute({
    summary: 'Show the current staff session',
    success: 'ADMIN_VIEW',
    failures: [],
    data,
    example,
    handle: async ({ admin }) => ({ data: toStaff(admin) }),
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

function toStaff({ name, role, endsAt }: Admin) {
  return { name, role, endsAt: iso(endsAt), idleSeconds };
}
