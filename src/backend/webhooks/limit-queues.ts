// Use case: keep the queue of every webhook endpoint within its bound. Says when one becomes full, and when it has room again.
import type { Clock } from '../../kernel/clock.ts';
import type { WebhookQueue } from './webhook-queue.ts';
import { queueLimit } from './webhook-rules.ts';

type LimitedQueue = {
  readonly endpoint: string;
  /** Undefined if the queue has room. */
  readonly fullSince: number | undefined;
  /** Set if it had become full before and has room again now: events since then were not queued. */
  readonly missedSince: number | undefined;
  /** True for the one node that noticed the change. */
  readonly isNews: boolean;
};

export async function limitQueues(
  { webhooks, clock }: { readonly webhooks: Pick<WebhookQueue, 'limit'>; readonly clock: Clock },
  endpoints: readonly string[],
): Promise<LimitedQueue[]> {
  const limited: LimitedQueue[] = [];
  for (const endpoint of endpoints) {
    const { before, after } = await webhooks.limit({ endpoint, ...queueLimit, now: clock.now() });
    const isNews = before.fullSince !== after.fullSince;
    const missedSince = isNews ? before.fullSince : undefined;
    limited.push({ endpoint, fullSince: after.fullSince, missedSince, isNews });
  }
  return limited;
}
