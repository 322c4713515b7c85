// The outbox: messages to users wait in the store until a provider has taken them, so that none is lost and none endlessly repeated.
import type { AuditDetail } from '../kernel/audit.ts';

export const channels = ['sms', 'mail'] as const;

export type Channel = (typeof channels)[number];

/** An entry that this node holds for a while: nobody else sends it before the lease ends. `readMessage` says what it is. */
export type ClaimedMessage = {
  readonly id: string;
  readonly channel: Channel;
  /** Perhaps of a later version, which wrote it. */
  readonly kind: string;
  readonly payload: unknown;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** This one included. */
  readonly tries: number;
  /** Earlier tries of which nobody knows whether they reached the user. */
  readonly doubts: number;
};

export type OutboxStore = {
  /** Takes due messages of a channel that no node holds, oldest first; each counts as tried from now on. */
  claim(input: { channel: Channel; now: number; most: number; leaseSeconds: number }): Promise<ClaimedMessage[]>;
  /** Not to be sent after all: it leaves the outbox. */
  finish(id: string): Promise<void>;
  /** A provider has taken it: it leaves the outbox, and what is known of it is written down. */
  finishSent(input: { id: string; detail: AuditDetail; now: number }): Promise<void>;
  retry(input: { id: string; dueAt: number; error: string; isDoubtful: boolean }): Promise<void>;
  park(input: { id: string; error: string; detail?: AuditDetail; now: number }): Promise<void>;
  /** How many wait, and since when the oldest does. */
  measure(): Promise<{ waiting: number; parked: number; oldestAt: number | undefined }>;
};
