// The command `webhooks replay`: sends events again under the same ids, some by id or all since a time.
import type { Replay } from '../../backend/webhooks/webhook-queue.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { writeTime } from '../write-text.ts';

const eventsPerPage = 500;

export const webhooksReplay: Command<'webhooks replay'> = async (context, { ids, since: lookBack, reason, yes }) => {
  const by = context.act(reason);
  const endpoints = context.config().webhooks.endpoints.map(({ id }) => id);
  if (endpoints.length === 0) throw new CommandError('WEBHOOK_URL is not set: there is no URL to send events to.');
  if ((ids.length === 0) === (lookBack === undefined))
    throw new CommandError('Give the ids of events, or --since 24h for all events since then.', 2);
  const { webhookLog, audit, clock } = await context.open();
  const now = clock.now();
  const page = { endpoints, now, most: eventsPerPage };
  const since = lookBack === undefined ? undefined : now - lookBack;
  if (since !== undefined)
    await context.confirm(
      `This sends all events since ${writeTime(since)} to ${endpoints.length} endpoints again.`,
      yes,
    );
  const events = since === undefined ? await replayNamed(ids) : await replaySince({ ...page, since });
  if (events > 0) await audit.record({ kind: 'webhooks.replayed', detail: { ...by, events }, now });
  context.show({ events }, `Queued again: ${events}. The service sends them within a second.`);
  return 0;

  async function replayNamed(wanted: readonly string[]): Promise<number> {
    const { eventIds } = await webhookLog.replay({ ...page, ids: wanted });
    const unknown = wanted.filter((id) => !eventIds.includes(id));
    if (eventIds.length === 0) throw new CommandError('No event has such an id. Events are deleted after 90 days.');
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
