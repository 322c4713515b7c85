// The webhook worker: claims due events for each endpoint, posts them, and retries for two days.
import type { Clock } from '../kernel/clock.ts';
import { startLoop } from '../kernel/loop.ts';
import type { PostOutcome, WebhookEndpoint } from './endpoint.ts';
import { webhookTypeOf, writeWebhook } from './webhook-event.ts';
import type { ClaimedWebhook, WebhookQueue } from './webhook-queue.ts';
import { pauseAfter } from './webhook-rules.ts';

export type WebhookParts = {
  readonly webhooks: WebhookQueue;
  readonly clock: Clock;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly report: (news: WebhookReport) => void;
};

export type WebhookReport = {
  readonly endpoint: string;
  readonly host: string;
  readonly outcome: 'delivered' | 'failed' | 'parked';
  /** Since the event was queued. */
  readonly seconds: number;
  readonly error?: string;
};

export type WebhookTimes = {
  /** How long a claimed event belongs to one worker. More than twice `sendMilliseconds`. */
  readonly leaseSeconds: number;
  /** The pause between two looks for due events. */
  readonly pollMilliseconds: number;
  /** For one post. */
  readonly sendMilliseconds: number;
};

export const webhookTimes: WebhookTimes = { leaseSeconds: 30, pollMilliseconds: 250, sendMilliseconds: 10_000 };

const mostAtOnce = 32;

export function startWebhooks(parts: WebhookParts, times: WebhookTimes = webhookTimes): { stop(): Promise<void> } {
  const stopping = new AbortController();
  // Each endpoint has its own loop, so that a slow or dead endpoint does not delay others.
  const loops = parts.endpoints.map((endpoint) =>
    startLoop(
      times.pollMilliseconds,
      async () => {
        while (!stopping.signal.aborted && (await deliverDue(parts, times, endpoint, stopping.signal)) === mostAtOnce);
      },
      () => undefined,
    ),
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

async function deliverDue(
  parts: WebhookParts,
  times: WebhookTimes,
  endpoint: WebhookEndpoint,
  stop: AbortSignal,
): Promise<number> {
  const { webhooks, clock } = parts;
  const { leaseSeconds, sendMilliseconds } = times;
  const now = clock.now();
  if (!(await webhooks.isDue({ endpoint: endpoint.id, now }))) return 0;
  const claimed = await webhooks.claim({ endpoint: endpoint.id, now, most: mostAtOnce, leaseSeconds });
  // Events of one user in this batch are posted in order. Different users do not wait for each other.
  const chains = Map.groupBy(claimed, ({ eventId, event }) => event?.userId ?? eventId);
  const latest = performance.now() + leaseSeconds * 1000 - 1.5 * sendMilliseconds;
  await Promise.all([...chains.values()].map((chain) => deliverChain(parts, times, endpoint, chain, latest, stop)));
  return claimed.length;
}

/** If one event has to wait, the later ones wait too. No post starts that might outlast the lease. */
async function deliverChain(
  parts: WebhookParts,
  times: WebhookTimes,
  endpoint: WebhookEndpoint,
  chain: readonly ClaimedWebhook[],
  latest: number,
  stop: AbortSignal,
): Promise<void> {
  let heldUntil: number | undefined;
  for (const webhook of chain) {
    if (heldUntil === undefined && (stop.aborted || performance.now() > latest)) heldUntil = parts.clock.now();
    if (heldUntil === undefined) heldUntil = await deliverOne(parts, times, endpoint, webhook, stop);
    else await parts.webhooks.release({ id: webhook.id, dueAt: heldUntil });
  }
}

/** Returns the time of the next attempt, if there is one. */
async function deliverOne(
  { webhooks, clock, report }: WebhookParts,
  { sendMilliseconds }: WebhookTimes,
  { id: endpoint, host, post }: WebhookEndpoint,
  { id, eventId, event, tries, createdAt }: ClaimedWebhook,
  stop: AbortSignal,
): Promise<number | undefined> {
  const reportOutcome = (outcome: WebhookReport['outcome'], error?: string) => {
    const seconds = (clock.now() - createdAt) / 1000;
    report({ endpoint, host, outcome, seconds, ...(error !== undefined && { error }) });
  };
  const park = async (error: string): Promise<undefined> => {
    await webhooks.park({ id, error, now: clock.now() });
    reportOutcome('parked', error);
  };
  if (event === undefined) return park('the event is no longer stored');
  const signal = AbortSignal.any([stop, AbortSignal.timeout(sendMilliseconds)]);
  // A node of a newer version may have queued the event, and may post it at the next try.
  const outcome: PostOutcome =
    webhookTypeOf(event.kind) === undefined
      ? { kind: 'failed', error: `this version does not know ${event.kind}` }
      : await post(eventId, writeWebhook(event), signal);
  if (outcome.kind === 'delivered') {
    await webhooks.finish({ id, now: clock.now() });
    reportOutcome('delivered');
    return undefined;
  }
  if (stop.aborted) {
    await webhooks.release({ id, dueAt: clock.now() });
    return undefined;
  }
  const pause = pauseAfter(tries, outcome, Math.random());
  if (pause === undefined) return park(outcome.error);
  const dueAt = clock.now() + Math.round(pause * 1000);
  await webhooks.retry({ id, dueAt, error: outcome.error });
  reportOutcome('failed', outcome.error);
  return dueAt;
}
