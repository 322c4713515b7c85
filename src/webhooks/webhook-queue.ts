// The queue of webhook events: written in the commit of the fact, one entry an endpoint, and kept until the endpoint has taken it.
import type { StoredEvent } from '../kernel/audit.ts';

/** An entry that this node holds for a while: nobody else sends it before the lease ends. */
export type ClaimedWebhook = {
  readonly id: string;
  readonly eventId: string;
  /** Undefined where the event has been swept away meanwhile. */
  readonly event: StoredEvent | undefined;
  /** This one included. */
  readonly tries: number;
  readonly createdAt: number;
};

export type WebhookQueue = {
  /** Whether a claim would find something; asks without writing. */
  isDue(input: { endpoint: string; now: number }): Promise<boolean>;
  /** Takes due entries of an endpoint that no node holds, oldest first; each counts as tried from now on. */
  claim(input: { endpoint: string; now: number; most: number; leaseSeconds: number }): Promise<ClaimedWebhook[]>;
  /** The endpoint has taken it. */
  finish(input: { id: string; now: number }): Promise<void>;
  retry(input: { id: string; dueAt: number; error: string }): Promise<void>;
  /** Gives back what was claimed and never sent: the try does not count. */
  release(input: { id: string; dueAt: number }): Promise<void>;
  park(input: { id: string; error: string; now: number }): Promise<void>;
  measure(): Promise<{ waiting: number; parked: number; oldestAt: number | undefined }>;
};

export const webhookStates = ['queued', 'sending', 'delivered', 'parked'] as const;

export type WebhookState = (typeof webhookStates)[number];

/** An entry as those who run the service see it. */
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

/** Events by id, or all since a time after the one that ended the page before. */
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
  /** Queues them anew, due at once and with all their tries; an entry that is being sent stays as it is. */
  replay(input: Replay): Promise<{ eventIds: readonly string[]; next: string | undefined }>;
};
