// The inbox: keeps messages on this machine instead of sending them, for development and tests.
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
  /** Newest first. All recipients if `to` is undefined. */
  list(input: { to: string | undefined; most: number }): Promise<InboxMessage[]>;
};
