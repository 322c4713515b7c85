// The queue of webhook events: one entry per endpoint, written in the same commit as the audit event and kept until delivered.
import type { StoredEvent } from '../kernel/audit.ts';

/** An entry leased by this node. No other node posts it before the lease expires. */
export type ClaimedWebhook = {
  readonly id: string;
  readonly eventId: string;
  /** Undefined if the sweep has removed the event. */
  readonly event: StoredEvent | undefined;
  /** Includes this attempt. */
  readonly tries: number;
  readonly createdAt: number;
};

export type WebhookQueue = {
  /** Whether a claim would find an entry. Does not write. */
  isDue(input: { endpoint: string; now: number }): Promise<boolean>;
  /** Leases due entries of an endpoint that no other node holds, oldest first. Counts one attempt for each. */
  claim(input: { endpoint: string; now: number; most: number; leaseSeconds: number }): Promise<ClaimedWebhook[]>;
  /** Marks the entry as delivered. */
  finish(input: { id: string; now: number }): Promise<void>;
  retry(input: { id: string; dueAt: number; error: string }): Promise<void>;
  /** Returns a claimed entry that was not delivered, for example at shutdown. The attempt does not count. */
  release(input: { id: string; dueAt: number }): Promise<void>;
  park(input: { id: string; error: string; now: number }): Promise<void>;
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
