// The outbox as operators and staff see it: list waiting and parked messages, and send them again.

import type { Act } from '../kernel/audit.ts';
import type { UserId } from '../kernel/ids.ts';
import type { Channel } from './channel.ts';

/** `claimed`: a node holds it but has not begun to send it. `sending`: it has begun, so the message may have left. */
export const outboxStates = ['queued', 'claimed', 'sending', 'parked'] as const;

export type OutboxState = (typeof outboxStates)[number];

/** What operators and staff see: nobody has begun to send a claimed message, so it waits. */
export type ShownState = Exclude<OutboxState, 'claimed'>;

/** A message that is still in the outbox. */
export type OutboxEntry = {
  readonly id: string;
  readonly channel: Channel;
  /** May be a kind of a later version. */
  readonly kind: string;
  readonly to: string;
  readonly state: ShownState;
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
  resend(input: { id: string; userId?: UserId; by: Act; now: number }): Promise<ResendOutcome>;
};
