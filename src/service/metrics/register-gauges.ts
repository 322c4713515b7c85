// Composition: registers the gauges that read the store and this process at every scrape.

import { dayCounter } from '../../abuse/sms-brake.ts';
import { findEndingKeys } from '../../backend/service-key.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Omission } from '../../messages/delivery/node-standing.ts';
import type { ProviderBoard } from '../../messages/delivery/provider-board.ts';
import { readStoreMeter } from '../../store/engine/store-meter.ts';
import { createOperatorPorts, type Ports } from '../../store/ports.ts';
import type { Store } from '../../store/store.ts';
import type { PrometheusMetrics, Reading } from './prometheus.ts';

type Queue = { readonly waiting: number; readonly parked: number; readonly oldestAt: number | undefined };

export function registerGauges(
  metrics: PrometheusMetrics,
  { brake, webhooks }: Config,
  store: Store,
  { outbox, webhooks: queue, sweeps }: Pick<Ports, 'outbox' | 'webhooks' | 'sweeps'>,
  clock: Clock,
  providers: ProviderBoard,
): void {
  const ageOf = ({ oldestAt }: Queue) => (oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt) / 1000);
  const readers: readonly [Parameters<typeof metrics.gauge>[0], () => Promise<Queue>, (queue: Queue) => number][] = [
    ['outbox_waiting', outbox.measure, ({ waiting }) => waiting],
    ['outbox_parked', outbox.measure, ({ parked }) => parked],
    ['outbox_oldest_seconds', outbox.measure, ageOf],
    ['webhooks_waiting', queue.measure, ({ waiting }) => waiting],
    ['webhooks_parked', queue.measure, ({ parked }) => parked],
    ['webhooks_oldest_seconds', queue.measure, ageOf],
  ];
  for (const [name, measure, read] of readers) {
    const isOn = !name.startsWith('webhooks') || webhooks.endpoints.length > 0;
    metrics.gauge(name, async () => (isOn ? one(read(await measure())) : one(0)));
  }
  const countOmissions = (isCounted: (omission: Omission) => boolean) => () =>
    providers.names.map(({ channel, provider }) => ({
      labels: { channel, provider },
      value: providers.list().filter((one) => one.channel === channel && one.provider === provider && isCounted(one))
        .length,
    }));
  metrics.gauge(
    'provider_left_out',
    countOmissions(({ country }) => country === undefined),
  );
  metrics.gauge(
    'provider_countries_left_out',
    countOmissions(({ country }) => country !== undefined),
  );
  metrics.gauge('blobs_without_record', async () => one((await sweeps.read())?.orphans ?? 0));
  metrics.gauge('records_without_blob', async () => one((await sweeps.read())?.missing ?? 0));
  metrics.gauge('sweep_stopped', async () => one((await sweeps.read())?.isStopped === true ? 1 : 0));
  const { limits, serviceKeys } = createOperatorPorts(store);
  metrics.gauge('service_keys_ending', async () => {
    const now = clock.now();
    return one(findEndingKeys(await serviceKeys.listLive(now), now).length);
  });
  const readTimes = () => store.call('journal.readBackupTimes', null);
  const since = (time: number | undefined) => (time === undefined ? [] : one(Math.max(0, clock.now() - time) / 1000));
  metrics.gauge('backup_age_seconds', async () => {
    const { backupAt, installedAt } = await readTimes();
    return since(backupAt ?? installedAt);
  });
  metrics.gauge('journal_age_seconds', async () => since((await readTimes()).journalAt));
  metrics.gauge('sms_today', async () => {
    if (brake.perDay <= 0) return [];
    const total = dayCounter(clock.now());
    const found = await limits.list({ prefix: total, most: 1000 });
    return one(Number(found.find(({ id }) => id === total)?.value ?? 0));
  });
  metrics.gauge('sms_day_limit', () => (brake.perDay > 0 ? one(brake.perDay) : []));
  metrics.gauge('store_connections', () =>
    Object.entries(store.connections?.() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  );
  metrics.gauge('database_timeline', () => {
    const timeline = store.cluster?.timeline();
    return timeline === undefined ? [] : one(timeline);
  });
  metrics.gauge('workers', () => one(1));
  const { meter } = store;
  if (meter === undefined) return;
  metrics.distribution('store_batch_seconds', () => readStoreMeter(meter).seconds);
  metrics.distribution('store_batch_calls', () => readStoreMeter(meter).calls);
}

function one(value: number): Reading[] {
  return [{ value }];
}
