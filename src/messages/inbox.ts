// The inbox: keeps messages on this machine instead of sending them, for development and tests.
import type { KeptMessage } from './outbox.ts';

/** The commit that takes a message out of the outbox keeps it here. */
export type InboxMessage = KeptMessage;

export type InboxStore = {
  /** Newest first. All recipients if `to` is undefined. */
  list(input: { to: string | undefined; most: number }): Promise<InboxMessage[]>;
};
