// The command `webhooks list`: what apps were told, what waits for them, and what they did not take.
import type { Verb } from './operator-context.ts';
import { readLimit, readSince } from './read-options.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const webhooksList: Verb = async (context, _, options) => {
  const { webhookLog, clock } = await context.open();
  const since = readSince(options.since, '7d', clock.now());
  const entries = await webhookLog.list({ since, most: readLimit(options.limit, 50) });
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
  const head = ['when', 'state', 'type', 'to', 'tries', 'trouble', 'id'];
  context.show({ webhooks }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say(hosts.size === 0 ? 'WEBHOOK_URL is not set: nobody is told.' : 'No events.');
  return 0;
};
