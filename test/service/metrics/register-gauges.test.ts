// The gauges of a scrape: what each reads, and which have no value.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayCounter } from '../../../src/abuse/sms-brake.ts';
import type { Config } from '../../../src/config/config.ts';
import { createProviderBoard } from '../../../src/messages/delivery/provider-board.ts';
import type { PrometheusMetrics, Reading } from '../../../src/service/metrics/prometheus.ts';
import { registerGauges } from '../../../src/service/metrics/register-gauges.ts';
import { createStoreMeter, meterBatch } from '../../../src/store/engine/store-meter.ts';
import type { Ports } from '../../../src/store/ports.ts';
import type { Store } from '../../../src/store/store.ts';

const now = Date.UTC(2031, 4, 5, 12);
const brake = { countries: [], perDay: 100, perCountryPerDay: 0, perPrefix: [], unused: undefined };

/** One ends soon, one is replaced by the third, which is in use, and one has ended. */
const day = 86_400_000;
const keys = [
  { id: 'a', name: 'mail', scopes: ['users:read'], endsAt: now + 3 * day, createdAt: 0 },
  { id: 'b', name: 'shop', scopes: ['users:read'], endsAt: now + 3 * day, createdAt: 0 },
  { id: 'c', name: 'shop', scopes: ['users:read'], endsAt: now + 90 * day, createdAt: 0, lastUsedAt: now },
  { id: 'd', name: 'old', scopes: ['users:read'], endsAt: now - day, createdAt: 0 },
];

type Given = {
  readonly config?: object;
  readonly store?: object;
  readonly queue?: { waiting: number; parked: number; oldestAt: number | undefined };
  readonly sweep?: object;
  readonly leftOut?: readonly [provider: string, country?: string][];
};

function read(given: Given = {}) {
  const {
    config = {},
    store = {},
    queue = { waiting: 3, parked: 2, oldestAt: now - 1500 },
    sweep,
    leftOut = [],
  } = given;
  const gauges = new Map<string, () => readonly Reading[] | Promise<readonly Reading[]>>();
  const distributions: string[] = [];
  const metrics = {
    gauge: (name: string, reader: () => Reading[]) => void gauges.set(name, reader),
    distribution: (name: string, reader: () => { count: number }) =>
      void distributions.push(`${name} ${reader().count}`),
  } as unknown as PrometheusMetrics;
  const ports = {
    outbox: { measure: async () => queue },
    webhooks: { measure: async () => queue },
    sweeps: { read: async () => sweep },
  } as unknown as Ports;
  const call = async () => [{ id: dayCounter(now), value: 7 }];
  const providers = createProviderBoard({ sms: ['webhook', 'twilio'], mail: ['smtp'] });
  for (const [provider, country] of leftOut)
    providers.note({ channel: 'sms', provider, ...(country !== undefined && { country }), state: 'open', since: now });
  registerGauges(
    metrics,
    { brake, webhooks: { endpoints: [{ id: 'x' }] }, ...config } as unknown as Config,
    { call, ...store } as unknown as Store,
    ports,
    { now: () => now },
    providers,
  );
  const readingOf = async (name: string) => {
    const readings = await (gauges.get(name) ?? assert.fail(name))();
    return readings.map(({ labels, value }) =>
      labels === undefined ? value : `${labels.state ?? labels.provider} ${value}`,
    );
  };
  return { readingOf, distributions };
}

describe('the gauges', () => {
  for (const [name, given, expected] of [
    ['outbox_waiting', {}, [3]],
    ['outbox_parked', {}, [2]],
    ['outbox_oldest_seconds', {}, [1.5]],
    ['outbox_oldest_seconds', { queue: { waiting: 0, parked: 0, oldestAt: undefined } }, [0]],
    ['outbox_oldest_seconds', { queue: { waiting: 1, parked: 0, oldestAt: now + 5 } }, [0]],
    ['webhooks_waiting', {}, [3]],
    ['webhooks_parked', {}, [2]],
    ['webhooks_oldest_seconds', {}, [1.5]],
    ['webhooks_waiting', { config: { webhooks: { endpoints: [] } } }, [0]],
    ['provider_left_out', {}, ['webhook 0', 'twilio 0', 'smtp 0']],
    ['provider_left_out', { leftOut: [['twilio'], ['webhook', 'FR']] }, ['webhook 0', 'twilio 1', 'smtp 0']],
    [
      'provider_countries_left_out',
      { leftOut: [['twilio'], ['webhook', 'FR'], ['webhook', 'DE']] },
      ['webhook 2', 'twilio 0', 'smtp 0'],
    ],
    ['blobs_without_record', {}, [0]],
    ['blobs_without_record', { sweep: { orphans: 4 } }, [4]],
    ['records_without_blob', { sweep: { missing: 5 } }, [5]],
    ['sweep_stopped', {}, [0]],
    ['sweep_stopped', { sweep: { isStopped: true } }, [1]],
    ['service_keys_ending', { store: { call: async () => keys } }, [1]],
    ['service_keys_ending', { store: { call: async () => [] } }, [0]],
    ['sms_today', {}, [7]],
    ['sms_today', { store: { call: async () => [] } }, [0]],
    ['sms_today', { config: { brake: { ...brake, perDay: 0 } } }, []],
    ['sms_day_limit', {}, [100]],
    ['sms_day_limit', { config: { brake: { ...brake, perDay: 0 } } }, []],
    ['store_connections', {}, []],
    [
      'store_connections',
      { store: { connections: () => ({ busy: 1, idle: 2, waiting: 0 }) } },
      ['busy 1', 'idle 2', 'waiting 0'],
    ],
    ['backup_age_seconds', { store: { call: async () => ({ backupAt: now - 5000, installedAt: 0 }) } }, [5]],
    ['backup_age_seconds', { store: { call: async () => ({ installedAt: now - 9000 }) } }, [9]],
    ['backup_age_seconds', { store: { call: async () => ({ backupAt: now + 1 }) } }, [0]],
    ['backup_age_seconds', { store: { call: async () => ({}) } }, []],
    ['journal_age_seconds', { store: { call: async () => ({ journalAt: now - 60_000 }) } }, [60]],
    ['journal_age_seconds', { store: { call: async () => ({}) } }, []],
    ['workers', {}, [1]],
  ] as [string, Given, unknown[]][]) {
    it(`${name} is ${JSON.stringify(expected)} with ${JSON.stringify(given)}`, async () =>
      assert.deepEqual(await read(given).readingOf(name), expected));
  }

  it('batches are measured only where the store has a meter', () => {
    const meter = createStoreMeter();
    meterBatch(meter, 0.1, 2);
    assert.deepEqual(read({ store: { meter } }).distributions, ['store_batch_seconds 1', 'store_batch_calls 1']);
    assert.deepEqual(read().distributions, []);
  });
});
