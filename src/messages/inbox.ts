// The inbox: where messages end that leave the machine nowhere, for local work and for tests.
import type { Channel } from './outbox.ts';

export type InboxMessage = {
  readonly id: string;
  readonly channel: Channel;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly html?: string;
  readonly createdAt: number;
};

export type InboxStore = {
  /** Keeps a message once, however often it is handed in. */
  keep(message: InboxMessage): Promise<void>;
  /** Newest first; all recipients when none is named. */
  list(input: { to: string | undefined; most: number }): Promise<InboxMessage[]>;
};
