// The outbox: the store keeps messages until a provider accepts them, so that none is lost and none is retried forever.
import type { AuditDetail } from '../kernel/audit.ts';

export const channels = ['sms', 'mail'] as const;

export type Channel = (typeof channels)[number];

/** An entry leased by this node. No other node sends it before the lease expires. `readMessage` parses it. */
export type ClaimedMessage = {
  readonly id: string;
  readonly channel: Channel;
  /** May be a kind of a later version. */
  readonly kind: string;
  readonly payload: unknown;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Includes this attempt. */
  readonly tries: number;
  /** Earlier attempts with an unknown outcome. The user may have received the message. */
  readonly doubts: number;
};

export type OutboxStore = {
  /** Leases due messages of a channel that no other node holds, oldest first. Counts one attempt for each. */
  claim(input: { channel: Channel; now: number; most: number; leaseSeconds: number }): Promise<ClaimedMessage[]>;
  /** Removes a message that is not to be sent. */
  finish(id: string): Promise<void>;
  /** Atomic: removes a message that a provider accepted, and writes an audit event with `detail`. */
  finishSent(input: { id: string; detail: AuditDetail; now: number }): Promise<void>;
  retry(input: { id: string; dueAt: number; error: string; isDoubtful: boolean }): Promise<void>;
  park(input: { id: string; error: string; detail?: AuditDetail; now: number }): Promise<void>;
  /** The number of waiting and parked messages, and the creation time of the oldest waiting one. */
  measure(): Promise<{ waiting: number; parked: number; oldestAt: number | undefined }>;
};
