// The metrics as Prometheus reads them: series that start at zero, gauges, distributions, and readings that fail.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPrometheusMetrics } from '../../../src/service/metrics/prometheus.ts';

type Dumped = {
  name: string;
  type: string;
  aggregator?: string;
  values: { labels: Record<string, unknown>; value: number; metricName?: string }[];
};

async function dump(metrics: ReturnType<typeof createPrometheusMetrics>) {
  const all = (await metrics.dump()) as Dumped[];
  return (name: string) => all.find((one) => one.name === `gatehouse_${name}`) ?? assert.fail(name);
}

describe('the metrics', () => {
  it('a counter with few labels starts each series at zero, and one with many starts without', async () => {
    const found = await dump(createPrometheusMetrics());
    assert.deepEqual(
      found('captcha_checks_total').values.map(({ labels, value }) => `${labels.outcome} ${value}`),
      ['passed 0', 'refused 0', 'replayed 0', 'unavailable 0'],
    );
    assert.deepEqual(found('links_requested_total').values, [{ labels: {}, value: 0 }]);
    assert.deepEqual(found('failures_total').values, []);
    assert.deepEqual(found('files_stored_total').values, []);
  });

  it('a counter counts by its labels, by one or by a number', async () => {
    const metrics = createPrometheusMetrics();
    metrics.count('file_bytes', { direction: 'in' }, 7);
    metrics.count('file_bytes', { direction: 'in' });
    metrics.count('failures', { route: '/x', code: 'NOT_FOUND' });
    const found = await dump(metrics);
    assert.deepEqual(
      found('file_bytes_total').values.map(({ labels, value }) => `${labels.direction} ${value}`),
      ['in 8', 'out 0'],
    );
    assert.deepEqual(found('failures_total').values, [{ labels: { route: '/x', code: 'NOT_FOUND' }, value: 1 }]);
  });

  it('a request is measured by method, route and status', async () => {
    const metrics = createPrometheusMetrics();
    metrics.request('GET', '/x', 200, 0.3);
    metrics.request('GET', '/x', 200, 0.25);
    metrics.request('GET', '/y', 200, 60);
    metrics.observe('webhook_seconds', {}, 1);
    const { values } = (await dump(metrics))('request_seconds');
    const bucket = (le: number | string) => values.find(({ labels }) => labels.le === le)?.value;
    assert.deepEqual([bucket(0.1), bucket(0.25), bucket(0.5), bucket(10), bucket('+Inf')], [0, 1, 2, 2, 2]);
    assert.equal(values.find(({ labels }) => labels.route === '/y' && labels.le === 10)?.value, 0);
    assert.equal(values.find(({ labels }) => labels.route === '/y' && labels.le === '+Inf')?.value, 1);
    assert.deepEqual(values.find(({ metricName }) => metricName?.endsWith('_sum'))?.labels, {
      method: 'GET',
      route: '/x',
      status: '200',
    });
  });

  it('a gauge is read at every scrape, and has no value but is counted if that fails', async () => {
    const metrics = createPrometheusMetrics();
    let value = 1;
    metrics.gauge('workers', () => [{ value }]);
    metrics.gauge('sms_today', () => assert.fail('no store'));
    metrics.gauge('outbox_waiting', async () => Promise.reject(new Error('no store')));
    metrics.gauge('store_connections', () => [{ labels: { state: 'busy' }, value: 3 }]);
    const first = await dump(metrics);
    value = 2;
    const second = await dump(metrics);
    assert.deepEqual(
      [first('workers').values, second('workers').values],
      [[{ labels: {}, value: 1 }], [{ labels: {}, value: 2 }]],
    );
    assert.deepEqual([first('sms_today').values, first('outbox_waiting').values], [[], []]);
    const failed = (await dump(metrics))('gauge_failures_total').values.map(({ labels, value }) => [
      labels.gauge,
      value,
    ]);
    assert.deepEqual(Object.keys(Object.fromEntries(failed)).toSorted(), ['outbox_waiting', 'sms_today']);
    assert.ok(failed.every(([, count]) => Number(count) >= 2));
    assert.deepEqual(first('store_connections').values, [{ labels: { state: 'busy' }, value: 3 }]);
    assert.deepEqual([first('workers').aggregator, first('outbox_waiting').aggregator], ['sum', 'max']);
  });

  it('a distribution that is kept elsewhere is written with all its buckets', async () => {
    const metrics = createPrometheusMetrics();
    metrics.distribution('store_batch_calls', () => ({ counts: [1, 2], sum: 9, count: 3 }));
    const { values } = (await dump(metrics))('store_batch_calls');
    assert.deepEqual(
      values.slice(0, 3).map(({ labels, value }) => [labels.le, value]),
      [
        [1, 1],
        [2, 2],
        [4, 0],
      ],
    );
    assert.deepEqual(
      values.slice(-3).map(({ metricName, labels, value }) => [metricName, labels.le, value]),
      [
        ['gatehouse_store_batch_calls_bucket', '+Inf', 3],
        ['gatehouse_store_batch_calls_sum', undefined, 9],
        ['gatehouse_store_batch_calls_count', undefined, 3],
      ],
    );
  });
});
