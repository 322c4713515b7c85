// The command `webhooks replay`: tells apps again, under the same ids, single events or all since a time.
import type { Replay } from '../webhooks/webhook-queue.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';
import { readSince } from './read-options.ts';
import { writeTime } from './write-text.ts';

const eventsPerPage = 500;

export const webhooksReplay: Verb = async (context, ids, options) => {
  const by = context.act();
  const endpoints = context.config().webhooks.endpoints.map(({ id }) => id);
  if (endpoints.length === 0) throw new CommandError('WEBHOOK_URL is not set: there is nobody to tell.');
  if ((ids.length === 0) === (options.since === undefined))
    throw new CommandError('Name events by their ids, or all since a time: --since 24h', 2);
  const { webhookLog, audit, clock } = await context.open();
  const now = clock.now();
  const page = { endpoints, now, most: eventsPerPage };
  const since = options.since === undefined ? undefined : readSince(options.since, '24h', now);
  if (since !== undefined)
    await context.confirm(`This tells ${endpoints.length} endpoints again everything since ${writeTime(since)}.`);
  const events = since === undefined ? await replayNamed(ids) : await replaySince({ ...page, since });
  await audit.record({ kind: 'webhooks.replayed', detail: { ...by, events }, now });
  context.show({ events }, `Queued again: ${events}. The service sends them within a second.`);
  return 0;

  async function replayNamed(wanted: readonly string[]): Promise<number> {
    const { eventIds } = await webhookLog.replay({ ...page, ids: wanted });
    const unknown = wanted.filter((id) => !eventIds.includes(id));
    if (eventIds.length === 0) throw new CommandError('No event has such an id; those older than 90 days are gone.');
    for (const id of unknown) context.say(`There is no event ${id}.`);
    return eventIds.length;
  }

  async function replaySince(range: Replay): Promise<number> {
    let count = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { eventIds, next }: Awaited<ReturnType<typeof webhookLog.replay>> = await webhookLog.replay({
        ...range,
        after,
      });
      count += eventIds.length;
      after = next;
    }
    return count;
  }
};
