// The rules of the webhook queue: what a claim and each outcome make of an entry, when it is tried again, when it is parked.
import type { PostOutcome } from './endpoint.ts';
import type { WebhookState } from './webhook-queue.ts';

/** After the first try, the second … : thirteen tries in a little more than two days. */
const retrySeconds = [1, 5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];
const longestPauseSeconds = 86_400;

/** An entry as far as its delivery goes. `doneAt` is set once it was delivered or parked. */
export type WebhookProgress = {
  readonly state: WebhookState;
  readonly tries: number;
  readonly dueAt: number;
  readonly doneAt: number | undefined;
  readonly error: string | undefined;
};

/** A node takes the entry under a lease. */
export function claimWebhook(
  { tries }: Pick<WebhookProgress, 'tries'>,
  { now, leaseSeconds }: { now: number; leaseSeconds: number },
): Pick<WebhookProgress, 'state' | 'tries' | 'dueAt'> {
  return { state: 'sending', tries: tries + 1, dueAt: now + leaseSeconds * 1000 };
}

/** What becomes of a claimed entry. released: it was never sent, so the try does not count. */
export type WebhookStep =
  | { readonly kind: 'delivered'; readonly now: number }
  | { readonly kind: 'failed'; readonly dueAt: number; readonly error: string }
  | { readonly kind: 'released'; readonly dueAt: number }
  | { readonly kind: 'parked'; readonly error: string; readonly now: number };

/** Undefined where the entry is done: one that was delivered after its lease ended elsewhere stays delivered. */
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

/** An entry that a node is sending stays as it is; any other may be queued anew. */
export function canReplay(
  known: (Pick<WebhookProgress, 'dueAt'> & { isSending: boolean }) | undefined,
  now: number,
): boolean {
  return known === undefined || !known.isSending || now >= known.dueAt;
}

/**
 * The pause after a failed try, in seconds; undefined when the entry is parked. Up to a fifth more or less by `chance` (0 to 1), so
 * that entries that failed together do not come back together; never sooner than the receiver asked.
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
