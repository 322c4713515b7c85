// Use case: which messages went out, wait or are parked, to all or to one recipient; newest first.
import type { AuditStore } from '../kernel/audit.ts';
import { maskEmail, maskPhone } from '../kernel/mask.ts';
import { marksOf } from '../kernel/recipient-mark.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { MessageLogStore, OutboxEntry } from './message-log.ts';

type Deps = { readonly messageLog: MessageLogStore; readonly audit: AuditStore; readonly secrets: Secrets };

export type LoggedMessage = {
  readonly id: string;
  readonly channel: string;
  readonly kind: string;
  /** Masked; of a message that was sent nothing more is kept. */
  readonly to: string;
  /** Where it is still known. */
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
  const narrow = to === undefined ? [{}] : marksOf(secrets, to).map((recipient) => ({ recipient }));
  const [waiting, ...sent] = await Promise.all([
    messageLog.listOutbox({ to, most }),
    ...narrow.map((about) => audit.list({ kind: 'message.sent', ...about, since, most })),
  ]);
  const left = sent.flat().map(({ at, detail }): LoggedMessage => {
    const text = (name: string) => String(detail[name] ?? '');
    const known = { id: text('message'), channel: text('channel'), kind: text('kind'), to: text('to') };
    return { ...known, fullTo: undefined, state: 'sent', provider: text('provider'), error: undefined, at };
  });
  return [...waiting.map(toLogged), ...left].sort((a, b) => b.at - a.at).slice(0, most);
}

function toLogged({ id, channel, kind, to, state, error, createdAt }: OutboxEntry): LoggedMessage {
  const masked = channel === 'sms' ? maskPhone(to) : maskEmail(to);
  return { id, channel, kind, to: masked, fullTo: to, state, provider: undefined, error, at: createdAt };
}
