// The outbox: the store keeps messages until a provider accepts them, so that none is lost and none is retried forever.
import type { AuditDetail } from '../kernel/audit.ts';
import type { Channel } from './channel.ts';

/** An entry leased by this node. No other node sends it before the lease expires. `readMessage` parses it. */
export type ClaimedMessage = {
  readonly id: string;
  readonly channel: Channel;
  /** May be a kind of a later version. */
  readonly kind: string;
  readonly payload: unknown;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Attempts that ended without success. */
  readonly tries: number;
  /** Of those, attempts with an unknown outcome. The user may have received the message. */
  readonly doubts: number;
  /** When the lease ends. */
  readonly heldUntil: number;
  /** An earlier attempt ended without it having left. */
  readonly isLate?: true;
};

/** A message with its text, as the inbox keeps it. */
export type KeptMessage = {
  readonly id: string;
  readonly channel: Channel;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly html?: string;
  readonly createdAt: number;
};

/** A message that a provider accepted, and the audit event that says so. */
export type SentMessage = {
  readonly id: string;
  readonly detail: AuditDetail;
  readonly now: number;
  /** As it was claimed. */
  readonly isLate?: true;
  /** What the inbox keeps, if it is the provider. */
  readonly kept?: KeptMessage;
};

/** A message under the lease of a node. What a node does after its lease has gone to another changes nothing. */
export type HeldMessage = Pick<ClaimedMessage, 'id' | 'heldUntil'>;

export type BegunMessage = HeldMessage & { readonly now: number; readonly leaseSeconds: number };

export type Retry = HeldMessage & {
  readonly dueAt: number;
  readonly error: string;
  /** False if no provider was asked, or if it only asked to wait. */
  readonly isTry: boolean;
  /** The last provider that was asked may have sent it. */
  readonly isDoubtful: boolean;
  /** Every provider fails: its code does not count as one that a user left unused, until a provider accepts it. */
  readonly isOutage: boolean;
  /** A provider answered about this recipient: what its caller has used up is never given back. */
  readonly isAboutRecipient: boolean;
};

export type Parking = HeldMessage & {
  readonly error: string;
  readonly isDoubtful: boolean;
  /** As of `Retry`. */
  readonly isAboutRecipient: boolean;
  readonly detail?: AuditDetail;
  readonly now: number;
};

export type Claim = {
  readonly channel: Channel;
  readonly now: number;
  readonly most: number;
  readonly leaseSeconds: number;
  /** To probe a provider that is left out: a message that never failed is claimed first, and the newest of them. */
  readonly isProbe?: true;
};

export type OutboxStore = {
  /** Leases due messages of a channel that no other node holds, oldest first. */
  claim(input: Claim): Promise<ClaimedMessage[]>;
  /** As `claim`, but only messages whose time is over: somebody must park them, also while no provider takes any. */
  claimExpired(input: Omit<Claim, 'isProbe'>): Promise<ClaimedMessage[]>;
  /** Removes a message that is not to be sent. What it was counted in is taken back, as where it is parked. */
  finish(id: string): Promise<void>;
  /**
   * Atomic: removes messages that a provider accepted, writes an audit event with `detail` for each, and keeps those of the inbox.
   * The inbox keeps a message once, by its id.
   */
  finishSent(messages: readonly SentMessage[]): Promise<void>;
  /** Returns messages that nobody has begun to send, as if they had not been claimed. One whose lease has gone to another stays there. */
  giveBack(messages: readonly HeldMessage[]): Promise<void>;
  /**
   * Before a provider is asked, and again before another one is asked after an unknown outcome: from this commit on the message may
   * have left. Renews the lease. False: the message is not to be sent by this node.
   */
  begin(messages: readonly BegunMessage[]): Promise<boolean[]>;
  retry(input: Retry): Promise<void>;
  /** Atomic: what the message was counted in is taken back, unless it may have left. */
  park(input: Parking): Promise<void>;
  /** The same as `isOutage` for messages that nobody holds and that were queued before this time. Gives how many there were. */
  setAside(input: { channel: Channel; before: number; most: number }): Promise<number>;
  /** The number of waiting and parked messages, and the creation time of the oldest waiting one. */
  measure(): Promise<{ waiting: number; parked: number; oldestAt: number | undefined }>;
};
