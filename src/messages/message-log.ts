// The outbox as operators and staff see it: list waiting and parked messages, and send them again.
import type { Act } from '../kernel/audit.ts';
import type { Channel } from './outbox.ts';

export const outboxStates = ['queued', 'sending', 'parked'] as const;

export type OutboxState = (typeof outboxStates)[number];

/** A message that is still in the outbox. */
export type OutboxEntry = {
  readonly id: string;
  readonly channel: Channel;
  /** May be a kind of a later version. */
  readonly kind: string;
  readonly to: string;
  readonly state: OutboxState;
  readonly tries: number;
  readonly error: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** `expired`: its code or link no longer works. `sending`: a node is sending it. `gone`: it was sent, or never existed. */
export type ResendOutcome = 'queued' | 'expired' | 'sending' | 'gone';

export type MessageLogStore = {
  /** Newest first. All recipients if `to` is undefined. */
  listOutbox(input: { to: string | undefined; most: number }): Promise<OutboxEntry[]>;
  /** Queues the message again, due at once and with a new set of attempts. */
  resend(input: { id: string; userId?: string; by: Act; now: number }): Promise<ResendOutcome>;
};
