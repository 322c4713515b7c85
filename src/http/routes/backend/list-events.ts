// GET /api/service/events: the events that follow a cursor, oldest first.
import type { BackendDeps } from '../../../backend/deps.ts';
import { readEvents } from '../../../backend/read-events.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, object, text } from '../../interface/schema.ts';
import { limitField, readLimit } from '../page-query.ts';
import { eventRecord, eventRecordExample } from './event-record.ts';

const largestPage = 1000;
const defaultPage = 100;

export function listEventsRoute(deps: Pick<BackendDeps, 'events'>) {
  return defineRoute({
    summary: 'Read events',
    description:
      'The same events as the webhooks, oldest first, without a gap and in order for each user. Store “next” after you have ' +
      'processed the page, and pass it as “after” the next time. It is never null: a page that is not full ends at the newest ' +
      'event. Without “after” the first page begins at the oldest event that is kept (90 days).',
    success: 'EVENTS',
    failures: ['CURSOR_EXPIRED'],
    query: object({}, { after: text({ maxLength: 128 }), limit: limitField }),
    data: object({ events: list(eventRecord), next: text() }),
    example: {
      events: [eventRecordExample],
      next: 'MDE5YThmNGUtNmMxYi03ZDBhLTljNTUtMGI4ZjNmMWQyYTQ0IDE3',
    },
    handle: async ({ query }) => {
      const limit = readLimit(query.limit, { usual: defaultPage, largest: largestPage });
      return { data: await readEvents(deps, { after: query.after, limit }) };
    },
  });
}
