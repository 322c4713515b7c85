// GET /api/admin/overview: what happened on each of the last 30 days, today's text messages, and the providers of messages that are left out.
import { channels } from '../../../messages/channel.ts';
import { countKinds, shownDays } from '../../../support/day-counts.ts';
import type { SupportDeps } from '../../../support/deps.ts';
import { showOverview } from '../../../support/show-overview.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, integer, list, object, oneOf, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

const meanings = {
  signIns: 'Sign-ins with a code or a link',
  signUps: 'New users',
  refused: 'Sign-ins that were refused, although the code was correct',
  wrongCodes: 'Wrong codes',
  sms: 'Text messages that a provider accepted',
  mails: 'Mails that a provider accepted',
  undelivered: 'Messages that no provider accepted',
  braked: 'Requests that the spending brake refused',
  files: 'Files that were stored',
  bytes: 'Their size in bytes',
} as const satisfies Record<(typeof countKinds)[number], string>;

const counts = Object.fromEntries(countKinds.map((kind) => [kind, integer({ description: meanings[kind] })])) as {
  readonly [Kind in (typeof countKinds)[number]]: ReturnType<typeof integer>;
};

export function adminOverviewRoute(deps: SupportDeps) {
  return defineRoute({
    summary: 'Show what happened on each day',
    description: `The last ${shownDays} days in UTC, oldest first. The last one is today.`,
    success: 'ADMIN_VIEW',
    failures: [],
    data: object({
      days: list(object({ day: text({ description: 'The day in UTC', examples: ['2026-11-17'] }), ...counts })),
      spend: object({
        sent: integer({ description: 'Text messages that the spending brake has counted today' }),
        most: integer({ description: 'Allowed text messages per day; 0 means no limit and no count' }),
        suspended: flag(),
        suspendedCountries: list(text()),
      }),
      leftOutProviders: list(
        object({
          channel: oneOf(channels),
          provider: text({ description: 'Its name, as in the metrics', examples: ['twilio'] }),
          countries: list(text(), { description: 'Left out for these countries alone; empty means for all messages' }),
          nodes: integer({ description: 'How many nodes leave it out; each worker of a node counts' }),
          since: isoTime,
        }),
        { description: 'Providers that fail, hang or asked to wait, on at least one node; usually empty' },
      ),
    }),
    handle: async () => {
      const { days, spend, leftOutProviders } = await showOverview(deps);
      const { isSuspended, suspendedCountries, ...rest } = spend;
      return {
        data: {
          days: [...days],
          spend: { ...rest, suspended: isSuspended, suspendedCountries: [...suspendedCountries] },
          leftOutProviders: leftOutProviders.map(({ countries, since, ...one }) => ({
            ...one,
            countries: [...countries],
            since: new Date(since).toISOString(),
          })),
        },
      };
    },
  });
}
