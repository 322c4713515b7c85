// Reads the local inbox, where the service has one. Apps have no use for it, so it is no part of their client.
import { facts } from './facts.ts';

export type InboxMessage = {
  readonly id: string;
  readonly channel: 'sms' | 'mail';
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly html?: string;
  readonly createdAt: string;
};

type Query = {
  readonly to?: string;
  /** Only what came later than this message. */
  readonly after?: string | undefined;
  readonly waitSeconds?: number;
  readonly signal: AbortSignal;
};

/** What is newest there before something is sent, so that nothing older passes for it; undefined without an inbox. */
export async function findNewest(to: string): Promise<string | undefined> {
  if (!facts.hasInbox) return undefined;
  const [newest] = await listMessages({ to, signal: AbortSignal.timeout(2000) }).catch(() => []);
  return newest?.id;
}

/** Newest first. With a wait, answers when there is something, or with nothing when the wait is over. */
export async function listMessages({ to, after, waitSeconds = 0, signal }: Query): Promise<InboxMessage[]> {
  const query = new URLSearchParams({ wait: String(waitSeconds) });
  if (to !== undefined) query.set('to', to);
  if (after !== undefined) query.set('after', after);
  const response = await fetch(`/api/inbox?${query}`, { signal });
  if (!response.ok) throw new Error(`the inbox answered ${response.status}`);
  const { data } = (await response.json()) as { data: { messages: InboxMessage[] } };
  return data.messages;
}
