// The queues of webhook events: one entry per endpoint, written in the same commit as the audit event and kept until delivered.
import type { StoredEvent } from '../../kernel/audit.ts';

/** An entry leased by this node. No other node posts it before the lease expires. */
export type ClaimedWebhook = {
  readonly id: string;
  readonly eventId: string;
  /** The queue in which it stood: that of its user, or its own if it is about no user. */
  readonly queue: string;
  /** Undefined if the sweep has removed the event. */
  readonly event: StoredEvent | undefined;
  /** Includes this attempt. */
  readonly tries: number;
  readonly createdAt: number;
};

export type WebhookClaim = {
  readonly endpoint: string;
  readonly now: number;
  /** Queues of users. They come in the order of their names, first those behind `after`. */
  readonly most: number;
  /** Entries of one queue, oldest first. */
  readonly mostOfQueue: number;
  readonly after: string;
  /** Queues that have their turn already. */
  readonly except: readonly string[];
  readonly leaseSeconds: number;
};

/** Of one endpoint. Below `room`, a queue that was full takes events again: not for each event that leaves it. */
export type QueueLimit = { readonly most: number; readonly room: number };

export type QueueState = { readonly fullSince: number | undefined };

export type WebhookQueue = {
  /** Whether due entries stand in a queue, and whether others are due again that must first join theirs. Does not write. */
  look(input: { endpoint: string; now: number }): Promise<{ isInQueue: boolean; isBack: boolean }>;
  /** Puts entries that are due again into the queues of their users, oldest first. Gives how many. */
  queueUp(input: { endpoint: string; now: number; most: number }): Promise<number>;
  /** Leases due entries of queues that no other node holds. Counts one attempt for each. */
  claim(input: WebhookClaim): Promise<ClaimedWebhook[]>;
  /** Marks the entry as delivered. */
  finish(input: { id: string; now: number }): Promise<void>;
  /** The try failed. In the same commit, those `behind` it in its queue are released until then: none of them comes before it. */
  retry(input: { id: string; dueAt: number; error: string; behind: readonly string[] }): Promise<void>;
  /** Returns claimed entries that were not sent, for example at shutdown. The attempt does not count. */
  release(input: { ids: readonly string[]; dueAt: number }): Promise<void>;
  park(input: { id: string; error: string; now: number }): Promise<void>;
  /** Judges whether the queue of the endpoint is full. While it is, commits queue no events for it. */
  limit(input: QueueLimit & { endpoint: string; now: number }): Promise<{ before: QueueState; after: QueueState }>;
  measure(): Promise<{ waiting: number; parked: number; oldestAt: number | undefined }>;
};

export const webhookStates = ['queued', 'sending', 'delivered', 'parked'] as const;

export type WebhookState = (typeof webhookStates)[number];

/** An entry as operators see it. */
export type WebhookEntry = {
  readonly eventId: string;
  readonly type: string;
  readonly endpoint: string;
  readonly state: WebhookState;
  readonly tries: number;
  readonly error: string | undefined;
  readonly createdAt: number;
  readonly dueAt: number | undefined;
  readonly doneAt: number | undefined;
};

/** Selects events by `ids`, or all events since `since`. `after` is the last event id of the previous page. */
export type Replay = {
  readonly ids?: readonly string[];
  readonly since?: number;
  readonly after?: string;
  readonly most: number;
  readonly endpoints: readonly string[];
  readonly now: number;
};

export type WebhookLogStore = {
  /** Newest first. */
  list(input: { since: number; most: number }): Promise<WebhookEntry[]>;
  /** Queues the events again, due at once and with a new set of attempts. Does not change an entry that is being sent. */
  replay(input: Replay): Promise<{ eventIds: readonly string[]; next: string | undefined }>;
};
