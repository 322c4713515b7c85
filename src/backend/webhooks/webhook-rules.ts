// The rules of the webhook queue: what a claim and each outcome change, when an entry is tried again, and when it is parked.
import type { UserId } from '../../kernel/ids.ts';
import type { PostOutcome } from './endpoint.ts';
import type { QueueLimit, QueueState, WebhookState } from './webhook-queue.ts';

/** Pauses after the first try, the second, and so on: thirteen tries in a little more than two days. */
const retrySeconds = [1, 5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];
const longestPauseSeconds = 86_400;

/** What the rules need to know of an entry. `doneAt` is set once it was delivered or parked. */
export type WebhookProgress = {
  readonly state: WebhookState;
  readonly tries: number;
  readonly dueAt: number;
  readonly doneAt: number | undefined;
  readonly error: string | undefined;
};

/** Each user has a queue, and an event about nobody has its own. So many events of one user delay no other. */
export function queueOf(event: { readonly id: string; readonly userId: UserId | undefined }): string {
  return event.userId ?? event.id;
}

/** Whose turn it is, of the queues that were found: each comes once, and none that has its turn already. */
export function chooseQueues(found: readonly string[], except: readonly string[], most: number): string[] {
  const busy = new Set(except);
  return [...new Set(found)].filter((queue) => !busy.has(queue)).slice(0, most);
}

/** Some 200 MB of a database: an hour of 140 events a second, or two days of three. */
export const queueLimit: QueueLimit = { most: 500_000, room: 450_000 };

/** New events are refused, not old ones dropped: what a receiver misses is then one span of time, which a replay brings back. */
export function judgeQueue(
  { fullSince }: QueueState,
  waiting: number,
  { most, room, now }: QueueLimit & { readonly now: number },
): QueueState {
  if (fullSince === undefined) return { fullSince: waiting >= most ? now : undefined };
  return { fullSince: waiting >= room ? fullSince : undefined };
}

/** A node claims the entry with a lease. */
export function claimWebhook(
  { tries }: Pick<WebhookProgress, 'tries'>,
  { now, leaseSeconds }: { now: number; leaseSeconds: number },
): Pick<WebhookProgress, 'state' | 'tries' | 'dueAt'> {
  return { state: 'sending', tries: tries + 1, dueAt: now + leaseSeconds * 1000 };
}

/** The outcome of a claimed entry. released: it was never sent, so the try does not count. */
export type WebhookStep =
  | { readonly kind: 'delivered'; readonly now: number }
  | { readonly kind: 'failed'; readonly dueAt: number; readonly error: string }
  | { readonly kind: 'released'; readonly dueAt: number }
  | { readonly kind: 'parked'; readonly error: string; readonly now: number };

/** Undefined if the entry is done. An entry that another node delivered after the lease ended stays delivered. */
export function advanceWebhook(entry: Omit<WebhookProgress, 'state'>, step: WebhookStep): WebhookProgress | undefined {
  if (entry.doneAt !== undefined) return undefined;
  switch (step.kind) {
    case 'delivered':
      return { ...entry, state: 'delivered', doneAt: step.now, error: undefined };
    case 'failed':
      return { ...entry, state: 'queued', dueAt: step.dueAt, error: step.error };
    case 'released':
      return { ...entry, state: 'queued', dueAt: step.dueAt, tries: entry.tries - 1 };
    case 'parked':
      return { ...entry, state: 'parked', doneAt: step.now, error: step.error };
  }
}

/** An entry that a node is sending stays as it is; any other may be queued again. */
export function canReplay(
  known: (Pick<WebhookProgress, 'dueAt'> & { isSending: boolean }) | undefined,
  now: number,
): boolean {
  return known === undefined || !known.isSending || now >= known.dueAt;
}

/**
 * The pause after a failed try, in seconds; undefined if the entry is parked. `chance` (0 to 1) varies it by up to a fifth, so that
 * entries that failed together are not retried together. It is never shorter than the receiver asked.
 */
export function pauseAfter(
  tries: number,
  { kind, retryAfterSeconds = 0 }: Exclude<PostOutcome, { kind: 'delivered' }>,
  chance: number,
): number | undefined {
  const seconds = retrySeconds[tries - 1];
  if (kind === 'hopeless' || seconds === undefined) return undefined;
  return Math.max(seconds * (0.8 + 0.4 * chance), Math.min(retryAfterSeconds, longestPauseSeconds));
}
