// The command `messages log`: what was sent, waits or is parked, to all or to one recipient.
import { listMessages } from '../messages/list-messages.ts';
import type { Verb } from './operator-context.ts';
import { readLimit, readSince } from './read-options.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const messagesLog: Verb = async (context, _, options) => {
  const store = await context.open();
  const now = store.clock.now();
  const range = { since: readSince(options.since, '7d', now), most: readLimit(options.limit, 50) };
  const to = options.to?.includes('@') ? options.to.trim() : options.to?.replaceAll(/[\s\-.()]/g, '');
  const found = await listMessages({ ...store, secrets: context.secrets() }, { to, ...range });
  if (options.reveal) {
    const detail = { ...context.act(), messages: found.length };
    await store.audit.record({ kind: 'user.revealed', detail, now });
  }
  const messages = found.map(({ fullTo, provider, error, at, ...message }) => ({
    ...message,
    to: options.reveal ? (fullTo ?? message.to) : message.to,
    provider: provider ?? null,
    error: error ?? null,
    at: isoTime(at),
  }));
  const rows = messages.map((one, index) => {
    const at = writeTime(found[index]?.at);
    return [at, one.state, one.channel, one.kind, one.to, one.provider ?? one.error ?? '-', one.id];
  });
  const head = ['when', 'state', 'channel', 'kind', 'to', 'provider or trouble', 'id'];
  context.show({ messages }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No messages.');
  return 0;
};
