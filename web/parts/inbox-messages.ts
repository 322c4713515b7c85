// Reads the inbox of local mode. Apps do not need it, so it is not part of the client.
import type { Channel } from './channel.ts';
import { facts } from './page-data.ts';

export type InboxMessage = {
  readonly id: string;
  readonly channel: Channel;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly html?: string;
  readonly createdAt: string;
};

type Query = {
  readonly to?: string;
  /** Returns only messages newer than this one. */
  readonly after?: string | undefined;
  readonly waitSeconds?: number;
  readonly signal: AbortSignal;
};

/** Returns the newest message before a send, so that no older message is taken for the new one. */
export async function findNewest(to: string): Promise<string | undefined> {
  if (!facts.hasInbox) return undefined;
  const [newest] = await listMessages({ to, signal: AbortSignal.timeout(2000) }).catch(() => []);
  return newest?.id;
}

/** Newest first. With `waitSeconds`, the service responds as soon as there is a message, or empty after that time. */
export async function listMessages({ to, after, waitSeconds = 0, signal }: Query): Promise<InboxMessage[]> {
  const query = new URLSearchParams({ wait: String(waitSeconds) });
  if (to !== undefined) query.set('to', to);
  if (after !== undefined) query.set('after', after);
  const response = await fetch(`/api/inbox?${query}`, { signal });
  if (!response.ok) throw new Error(`the inbox responded with status ${response.status}`);
  const { data } = (await response.json()) as { data: { messages: InboxMessage[] } };
  return data.messages;
}
