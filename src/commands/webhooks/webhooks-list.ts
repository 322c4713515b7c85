// The command `webhooks list`: lists webhook events that were delivered, are queued or are parked.
import type { Command } from '../declarations.ts';
import { isoTime, writeTable, writeTime } from '../write-text.ts';

export const webhooksList: Command<'webhooks list'> = async (context, { since, limit }) => {
  const { webhookLog, clock } = await context.open();
  const entries = await webhookLog.list({ since: clock.now() - since, most: limit });
  const hosts = new Map(context.config().webhooks.endpoints.map(({ id, url }) => [id, new URL(url).host]));
  const webhooks = entries.map(({ eventId, endpoint, error, createdAt, dueAt, doneAt, ...entry }) => ({
    id: eventId,
    ...entry,
    endpoint,
    host: hosts.get(endpoint) ?? null,
    error: error ?? null,
    at: isoTime(createdAt),
    dueAt: isoTime(dueAt),
    doneAt: isoTime(doneAt),
  }));
  const rows = webhooks.map((one, index) => [
    writeTime(entries[index]?.createdAt),
    one.state,
    one.type,
    one.host ?? `${one.endpoint} (no longer set)`,
    one.tries,
    one.error ?? '-',
    one.id,
  ]);
  const head = ['when', 'state', 'type', 'to', 'tries', 'error', 'id'];
  context.show({ webhooks }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say(hosts.size === 0 ? 'WEBHOOK_URL is not set: no events are sent.' : 'No events.');
  return 0;
};
