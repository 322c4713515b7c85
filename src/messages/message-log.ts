// Messages as those who run the service see them: on their way, taken by a provider, or parked.
import type { Act } from '../kernel/audit.ts';
import type { Channel } from './outbox.ts';

/** A message that has not left the outbox. */
export type OutboxEntry = {
  readonly id: string;
  readonly channel: Channel;
  readonly kind: string;
  readonly to: string;
  readonly state: 'queued' | 'sending' | 'parked';
  readonly tries: number;
  readonly error: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** `expired`: what it carries is worthless by now. `sending`: a node is at it. `gone`: it was sent, or never was. */
export type ResendOutcome = 'queued' | 'expired' | 'sending' | 'gone';

export type MessageLogStore = {
  /** Newest first; all recipients when none is named. */
  listOutbox(input: { to: string | undefined; most: number }): Promise<OutboxEntry[]>;
  /** Queues it anew, due at once and with all its tries. */
  resend(input: { id: string; userId?: string; by: Act; now: number }): Promise<ResendOutcome>;
};
