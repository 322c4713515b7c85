// /api/admin/spend and /api/admin/audit: the spending brake, and the audit log of staff and command line.

import { showSpend } from '../../../abuse/show-spend.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { liftSuspension } from '../../../support/lift-suspension.ts';
import { actOf } from '../../../support/staff/admin.ts';
import { defineRoute } from '../../interface/route.ts';
import { anyObject, flag, integer, list, nullable, object, oneOf, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { reasonField, toEvent } from './present.ts';

const pageSize = 50;

export function adminSpendRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Show the spending brake',
    success: 'ADMIN_VIEW',
    failures: [],
    data: object({
      day: text({ description: 'The day in UTC' }),
      sent: integer(),
      most: integer({ description: 'Allowed messages per day; 0 means no limit and no count' }),
      mostPerCountry: integer(),
      suspended: flag(),
      countries: list(
        object({
          country: text(),
          sent: integer(),
          opened: integer({ description: 'Codes sent in the last six hours' }),
          used: integer({ description: 'Number of these codes that were used' }),
          suspendedBy: nullable(oneOf(['country', 'unused'])),
        }),
      ),
    }),
    handle: async () => {
      const { isSuspended, countries, ...spend } = await showSpend(deps);
      const shown = countries.map((one) => ({ ...one, suspendedBy: one.suspendedBy ?? null }));
      return { data: { ...spend, suspended: isSuspended, countries: shown } };
    },
  });
}

export function adminLiftRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Lift a suspension of the spending brake',
    description:
      'Allows messages again: for one country, or without “country” for the daily limit of all countries. The count restarts at 0.',
    success: 'ADMIN_ACTED',
    failures: [],
    body: object({ reason: reasonField }, { country: text({ maxLength: 4 }) }),
    handle: async ({ body, admin }) => {
      await liftSuspension(deps, { country: body.country, by: actOf(admin, body.reason) });
      return { data: null };
    },
  });
}

const eventId = /^[0-9a-f-]{36}$/;

export function adminAuditRoute({ audit }: SupportDeps) {
  return defineRoute({
    summary: 'List the audit log',
    description: 'Actions of staff and of the command line. Newest first. “next” is the cursor of the next page.',
    success: 'ADMIN_VIEW',
    failures: [],
    query: object({}, { cursor: text({ maxLength: 64 }) }),
    data: object({
      events: list(object({ at: isoTime, kind: text(), userId: nullable(text()), detail: anyObject() })),
      next: nullable(text()),
    }),
    handle: async ({ query: { cursor } }) => {
      if (cursor !== undefined && !eventId.test(cursor)) throw new Failure('REQUEST_INVALID', { field: 'cursor' });
      const range = { since: 0, most: pageSize + 1, ...(cursor !== undefined && { before: cursor }) };
      const found = await audit.list({ acts: true, ...range });
      const page = found.slice(0, pageSize);
      const events = page.map(({ userId = null, detail: { recipient: _, ...detail }, ...event }) => ({
        ...toEvent({ ...event, detail }),
        userId,
      }));
      return { data: { events, next: found.length > pageSize ? (page.at(-1)?.id ?? null) : null } };
    },
  });
}
