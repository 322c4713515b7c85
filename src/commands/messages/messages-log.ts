// The command `messages log`: lists messages that were sent, are queued or are parked, to all recipients or to one.
import { listMessages } from '../../support/list-messages.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writeTable, writeTime } from '../write-text.ts';

export const messagesLog: Command<'messages log'> = async (context, { to, since, limit, reveal, reason }) => {
  const store = await context.open();
  const now = store.clock.now();
  const recipient = to?.includes('@') ? to.trim() : to?.replaceAll(/[\s\-.()]/g, '');
  const wanted = { to: recipient, since: now - since, most: limit };
  const found = await listMessages({ ...store, secrets: context.secrets() }, wanted);
  if (reveal) {
    const detail = { ...context.act(reason), messages: found.length };
    await store.audit.record({ kind: 'user.revealed', detail, now });
  }
  const messages = found.map(({ fullTo, provider, error, at, ...message }) => ({
    ...message,
    channel: message.channel ?? null,
    to: reveal ? (fullTo ?? message.to) : message.to,
    provider: provider ?? null,
    error: error ?? null,
    at: isoTime(at),
  }));
  const rows = messages.map((one, index) => {
    const at = writeTime(found[index]?.at);
    return [at, one.state, one.channel ?? '-', one.kind, one.to, one.provider ?? one.error ?? '-', one.id];
  });
  const head = ['when', 'state', 'channel', 'kind', 'to', 'provider or error', 'id'];
  context.show({ messages }, rows.length === 0 ? '' : writeTable(head, rows));
  if (rows.length === 0) context.say('No messages.');
  return 0;
};
