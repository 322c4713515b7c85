// /api/admin/spend and /api/admin/audit: what concerns the whole house: money spent on messages, and who did what to whom.
import { liftSuspension } from '../../../abuse/lift-suspension.ts';
import { showSpend } from '../../../abuse/show-spend.ts';
import { Failure } from '../../../kernel/failure.ts';
import { actOf } from '../../../support/admin.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { defineRoute } from '../../interface/route.ts';
import { anyObject, flag, integer, list, nullable, object, oneOf, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { reasonField, toEvent } from './present.ts';

const pageSize = 50;

export function adminSpendRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'What the spending brake counts today',
    success: 'ADMIN_VIEW',
    failures: [],
    data: object({
      day: text({ description: 'UTC' }),
      sent: integer(),
      most: integer({ description: 'Messages a day; 0: no limit, and none is counted' }),
      mostPerCountry: integer(),
      suspended: flag(),
      countries: list(
        object({
          country: text(),
          sent: integer(),
          opened: integer({ description: 'Codes of the last six hours' }),
          used: integer({ description: 'Of them, those that were used' }),
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
    summary: 'Let messages go out again that the spending brake holds back',
    description: 'For one country, or without one for the limit of the day over all. The count begins anew.',
    success: 'ADMIN_ACTED',
    failures: [],
    body: object({ reason: reasonField }, { country: text({ maxLength: 2 }) }),
    handle: async ({ body, admin }) => {
      await liftSuspension(deps, { country: body.country, by: actOf(admin, body.reason) });
      return { data: null };
    },
  });
}

const eventId = /^[0-9a-f-]{36}$/;

export function adminAuditRoute({ audit }: SupportDeps) {
  return defineRoute({
    summary: 'Who did what to whom, and why',
    description: 'Acts of the support staff and of the command line; newest first, “next” goes on.',
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
