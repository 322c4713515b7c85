// GET /api/inbox: the captured messages, for local work and tests; waits for the first one when asked to.
import { setTimeout as sleep } from 'node:timers/promises';
import type { InboxMessage, InboxStore } from '../../delivery/inbox.ts';
import { Failure } from '../../kernel/failure.ts';
import { defineRoute } from '../route.ts';
import { object, text } from '../schema.ts';

const longestWaitSeconds = 30;
const pauseMilliseconds = 100;

/** A wait ends early when the client goes or the service stops. */
export function inboxRoute({ inbox, isStopping }: { inbox: Pick<InboxStore, 'list'>; isStopping: () => boolean }) {
  return defineRoute({
    summary: 'Read the inbox',
    success: 'INBOX',
    failures: [],
    query: object({}, { to: text({ maxLength: 320 }), wait: text({ maxLength: 10 }) }),
    handle: async (call) => {
      const { query } = call;
      const waitSeconds = Math.min(Number(query.wait ?? 0), longestWaitSeconds);
      if (!(waitSeconds >= 0)) throw new Failure('REQUEST_INVALID', { field: 'wait' });
      // In a query a plus is often sent bare and read as a space.
      const to = query.to?.replace(/^ /, '+').trim();
      const until = performance.now() + waitSeconds * 1000;
      let messages = await inbox.list({ to, most: 100 });
      if (messages.length === 0 && waitSeconds > 0) {
        const { signal } = call;
        while (messages.length === 0 && performance.now() < until && !signal.aborted && !isStopping()) {
          await sleep(pauseMilliseconds);
          messages = await inbox.list({ to, most: 100 });
        }
      }
      return { data: { messages: messages.map(toWire) } };
    },
  });
}

function toWire({ createdAt, ...message }: InboxMessage) {
  return { ...message, createdAt: new Date(createdAt).toISOString() };
}
