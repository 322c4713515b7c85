// The webhook worker: gives each user's due events a turn at each endpoint, posts them in order, and retries for two days.
import type { Clock } from '../../kernel/clock.ts';
import { type Lane, startLane } from '../../kernel/work/lane.ts';
import type { PostOutcome, WebhookEndpoint } from './endpoint.ts';
import { webhookTypeOf, writeWebhook } from './webhook-event.ts';
import type { ClaimedWebhook, WebhookQueue } from './webhook-queue.ts';
import { pauseAfter } from './webhook-rules.ts';

type WebhookParts = {
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

/** Users whose events are posted at the same time, each one event after the other. */
const mostAtOnce = 32;
/** Events of one user that have one turn together. */
const mostOfQueue = 32;
/** Events that join their queues in one commit, after their pause. */
const mostQueuedUp = 512;

export function startWebhooks(parts: WebhookParts, times: WebhookTimes = webhookTimes): { stop(): Promise<void> } {
  const stopping = new AbortController();
  // Each endpoint has its own lane, so that a slow or dead endpoint does not delay others.
  const lanes = parts.endpoints.map((endpoint) => startEndpoint(parts, times, endpoint, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** The events of one user that have a turn. No post of them starts after `latest`. */
type Turn = { readonly queue: string; readonly events: readonly ClaimedWebhook[]; readonly latest: number };

/** Every queue gets a turn before one gets the next, so that a user with many events delays nobody. */
function startEndpoint(
  parts: WebhookParts,
  times: WebhookTimes,
  endpoint: WebhookEndpoint,
  stop: AbortSignal,
): Lane<Turn> {
  const { webhooks, clock } = parts;
  const { leaseSeconds, sendMilliseconds, pollMilliseconds } = times;
  const busy = new Set<string>();
  let after = '';
  return startLane<Turn>({
    room: (running) => mostAtOnce - running,
    pollMilliseconds,
    claim: async (most) => {
      const at = { endpoint: endpoint.id, now: clock.now() };
      const { isInQueue, isBack } = await webhooks.look(at);
      if (!isInQueue && !isBack) return [];
      if (isBack) while ((await webhooks.queueUp({ ...at, most: mostQueuedUp })) === mostQueuedUp && !stop.aborted);
      const latest = performance.now() + leaseSeconds * 1000 - 1.5 * sendMilliseconds;
      const claimed = await webhooks.claim({ ...at, most, mostOfQueue, after, except: [...busy], leaseSeconds });
      const queues = [...Map.groupBy(claimed, (webhook) => webhook.queue)];
      for (const [queue] of queues) busy.add(queue);
      after = queues.at(-1)?.[0] ?? after;
      return queues.map(([queue, events]) => ({ queue, events, latest }));
    },
    // More events of the user may be waiting.
    claimsAgain: true,
    deliver: ({ queue, events, latest }) =>
      deliverChain(parts, times, endpoint, events, latest, stop).finally(() => void busy.delete(queue)),
    report: () => undefined,
  });
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
  const { webhooks, clock } = parts;
  for (const [at, webhook] of chain.entries()) {
    const behind = chain.slice(at + 1).map(({ id }) => id);
    if (stop.aborted || performance.now() > latest)
      return webhooks.release({ ids: [webhook.id, ...behind], dueAt: dueAgainAt(webhook, clock) });
    if (!(await deliverOne(parts, times, endpoint, webhook, behind, stop))) return;
  }
}

/** At once, and before the events of its queue that came after it and were not claimed with it: they are due since then. */
function dueAgainAt({ createdAt }: Pick<ClaimedWebhook, 'createdAt'>, clock: Clock): number {
  return Math.min(createdAt, clock.now());
}

/** Whether the next one of the chain has its turn. If not, those behind wait with this one. */
async function deliverOne(
  { webhooks, clock, report }: WebhookParts,
  { sendMilliseconds }: WebhookTimes,
  { id: endpoint, host, post }: WebhookEndpoint,
  { id, eventId, event, tries, createdAt }: ClaimedWebhook,
  behind: readonly string[],
  stop: AbortSignal,
): Promise<boolean> {
  const reportOutcome = (outcome: WebhookReport['outcome'], error?: string) => {
    const seconds = (clock.now() - createdAt) / 1000;
    report({ endpoint, host, outcome, seconds, ...(error !== undefined && { error }) });
  };
  const park = async (error: string) => {
    await webhooks.park({ id, error, now: clock.now() });
    reportOutcome('parked', error);
    return true;
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
    return true;
  }
  if (stop.aborted) {
    await webhooks.release({ ids: [id, ...behind], dueAt: dueAgainAt({ createdAt }, clock) });
    return false;
  }
  const pause = pauseAfter(tries, outcome, Math.random());
  if (pause === undefined) return park(outcome.error);
  const dueAt = clock.now() + Math.round(pause * 1000);
  await webhooks.retry({ id, dueAt, error: outcome.error, behind });
  reportOutcome('failed', outcome.error);
  return false;
}
