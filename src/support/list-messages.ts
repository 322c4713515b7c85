// Use case: list sent, waiting and parked messages, for one recipient or for all, newest first.
import type { AuditStore } from '../kernel/audit.ts';
import { marksOf } from '../kernel/crypto/recipient-mark.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';
import { findWord } from '../kernel/text/closed-list.ts';
import { type Channel, channels } from '../messages/channel.ts';
import type { MessageLogStore, OutboxEntry } from '../messages/message-log.ts';
import { maskTo } from '../messages/texts/mask-recipient.ts';

type Deps = { readonly messageLog: MessageLogStore; readonly audit: AuditStore; readonly secrets: Secrets };

export type LoggedMessage = {
  readonly id: string;
  /** Undefined for a sent message of a later version, by a channel that this one does not know. */
  readonly channel: Channel | undefined;
  readonly kind: string;
  /** Masked. For a sent message, only this form is stored. */
  readonly to: string;
  /** Undefined for a sent message. */
  readonly fullTo: string | undefined;
  readonly state: 'queued' | 'sending' | 'parked' | 'sent';
  readonly provider: string | undefined;
  readonly error: string | undefined;
  readonly at: number;
};

export async function listMessages(
  { messageLog, audit, secrets }: Deps,
  { to, since, most }: { to: string | undefined; since: number; most: number },
): Promise<LoggedMessage[]> {
  const filters = to === undefined ? [{}] : marksOf(secrets, to).map((recipient) => ({ recipient }));
  const [waiting, ...sent] = await Promise.all([
    messageLog.listOutbox({ to, most }),
    ...filters.map((filter) => audit.list({ kind: 'message.sent', ...filter, since, most })),
  ]);
  const logged = sent.flat().map(({ at, detail }): LoggedMessage => {
    const text = (name: string) => String(detail[name] ?? '');
    const channel = findWord(channels, text('channel'));
    const known = { id: text('message'), channel, kind: text('kind'), to: text('to') };
    return { ...known, fullTo: undefined, state: 'sent', provider: text('provider'), error: undefined, at };
  });
  const recent = waiting.filter(({ createdAt }) => createdAt >= since);
  return [...recent.map(toLogged), ...logged].sort((a, b) => b.at - a.at).slice(0, most);
}

function toLogged({ id, channel, kind, to, state, error, createdAt }: OutboxEntry): LoggedMessage {
  return { id, channel, kind, to: maskTo[channel](to), fullTo: to, state, provider: undefined, error, at: createdAt };
}
