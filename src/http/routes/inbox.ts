// GET /api/inbox: the captured messages, for local development and tests. Can wait for the first message.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../kernel/failure.ts';
import type { InboxMessage, InboxStore } from '../../messages/inbox.ts';
import { defineRoute } from '../interface/route.ts';
import { anyObject, object, text } from '../interface/schema.ts';

const longestWaitSeconds = 30;
/** A message of a request that was just answered is usually there after it. */
const firstPauseMilliseconds = 40;
const pauseMilliseconds = 100;

/** A wait ends early if the client disconnects or the service stops. */
export function inboxRoute({ inbox, isStopping }: { inbox: Pick<InboxStore, 'list'>; isStopping: () => boolean }) {
  return defineRoute({
    summary: 'Read the inbox',
    success: 'INBOX',
    failures: [],
    data: anyObject(),
    query: object({}, { to: text({ maxLength: 320 }), wait: text({ maxLength: 10 }), after: text({ maxLength: 64 }) }),
    handle: async (call) => {
      const { query } = call;
      const waitSeconds = Math.min(Number(query.wait ?? 0), longestWaitSeconds);
      if (!(waitSeconds >= 0)) throw new Failure('REQUEST_INVALID', { field: 'wait' });
      // Clients often do not encode the plus in a query, and it is decoded as a space.
      const to = query.to?.replace(/^ /, '+').trim();
      const until = performance.now() + waitSeconds * 1000;
      const read = async () => since(await inbox.list({ to, most: 100 }), query.after);
      let messages = await read();
      if (messages.length === 0 && waitSeconds > 0) {
        const { signal } = call;
        let pause = firstPauseMilliseconds;
        while (messages.length === 0 && performance.now() < until && !signal.aborted && !isStopping()) {
          await sleep(pause);
          messages = await read();
          pause = pauseMilliseconds;
        }
      }
      return { data: { messages: messages.map(toFileRecord) } };
    },
  });
}

/** The messages that are newer than the message with the id `after`; all messages if that one no longer exists. */
function since(messages: readonly InboxMessage[], after: string | undefined): readonly InboxMessage[] {
  const known = messages.findIndex(({ id }) => id === after);
  return known < 0 ? messages : messages.slice(0, known);
}

function toFileRecord({ createdAt, ...message }: InboxMessage) {
  return { ...message, createdAt: new Date(createdAt).toISOString() };
}
