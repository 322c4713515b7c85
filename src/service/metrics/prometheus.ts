// Metrics for Prometheus, served on their own port and defined by the table of metrics.
import { collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client';
import { type GaugeName, gauges } from './gauge-definitions.ts';
import { counters, histograms, type Metrics, storeHistograms } from './metric-definitions.ts';
import { createMetricsServer, type MetricsServer } from './metrics-server.ts';
import { createRequestHistogram, type Distribution } from './request-histogram.ts';
import { createSeriesCounter } from './series-counter.ts';

export type Reading = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

export type PrometheusMetrics = Metrics &
  MetricsServer & {
    /** Registers a gauge that is read at every scrape. If reading fails, it has no values, and the failure is counted. */
    gauge(name: GaugeName, read: () => readonly Reading[] | Promise<readonly Reading[]>): void;
    /** Registers a histogram whose data is kept elsewhere. */
    distribution(name: keyof typeof storeHistograms, read: () => Distribution): void;
    /** All metrics as data, for the process that adds up the workers. */
    dump(): Promise<object[]>;
  };

/** A counter with at most this many series starts each at 0, so that Prometheus sees the first increment as an increase. */
const maxSeriesFromStart = 16;

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const register = (metric: object) => registry.registerMetric(metric as never);
  const counted = mapTable(counters, (name, { help, labels }) => {
    const counter = createSeriesCounter(Object.keys(labels));
    const head = { name: `gatehouse_${name}_total`, help, type: 'counter', aggregator: 'sum' };
    register({ ...head, get: async () => ({ ...head, values: counter.read() }) });
    const combinations = combine(labels);
    if (combinations.length <= maxSeriesFromStart) for (const words of combinations) counter.add(words, 0);
    return counter;
  });
  const { request_seconds, ...others } = histograms;
  const requests = createRequestHistogram(request_seconds.buckets);
  const measured = mapTable(others, (name, { help, labels, buckets }) => {
    const labelNames = Object.keys(labels);
    return new Histogram({
      name: `gatehouse_${name}`,
      help,
      labelNames,
      buckets: [...buckets],
      registers: [registry],
    });
  });
  const registerSeries = (name: string, help: string, read: () => readonly object[]) => {
    const head = { name, help, type: 'histogram', aggregator: 'sum' };
    register({ ...head, get: async () => ({ ...head, values: read() }) });
  };
  registerSeries('gatehouse_request_seconds', request_seconds.help, () =>
    requests
      .read()
      .flatMap(({ labels, data }) => toSeries('gatehouse_request_seconds', request_seconds.buckets, data, labels)),
  );
  return {
    request: requests.add,
    count: (name, labels, by = 1) => counted[name].add(labels as Record<string, string>, by),
    observe: (name, labels, value) => measured[name].observe(labels as Record<string, string>, value),
    gauge: (name, read) => {
      const { help, ofAll } = gauges[name];
      const head = { name: `gatehouse_${name}`, help, type: 'gauge', aggregator: ofAll };
      const get = async () => {
        const readings = await Promise.resolve()
          .then(read)
          .catch(() => {
            counted.gauge_failures.add({ gauge: name }, 1);
            return [];
          });
        return { ...head, values: readings.map(({ labels = {}, value }) => ({ labels, value })) };
      };
      register({ ...head, get });
    },
    distribution: (name, read) => {
      const { help, buckets } = storeHistograms[name];
      registerSeries(`gatehouse_${name}`, help, () => toSeries(`gatehouse_${name}`, buckets, read()));
    },
    dump: () => registry.getMetricsAsJSON(),
    ...createMetricsServer(() => registry.metrics()),
  };
}

function toSeries(
  name: string,
  buckets: readonly number[],
  { counts, sum, count }: Distribution,
  own: Readonly<Record<string, string>> = {},
) {
  const bucketOf = (le: number | string, value: number) => ({
    metricName: `${name}_bucket`,
    labels: { le, ...own },
    value,
  });
  return [
    ...buckets.map((le, index) => bucketOf(le, counts[index] ?? 0)),
    bucketOf('+Inf', count),
    { metricName: `${name}_sum`, labels: own, value: sum },
    { metricName: `${name}_count`, labels: own, value: count },
  ];
}

type Labels = Readonly<Record<string, readonly string[] | string>>;

/** Every combination of label values. Empty if the values of a label are not a closed list. */
function combine(labels: Labels): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, words]) =>
      typeof words === 'string' ? [] : all.flatMap((one) => words.map((word) => ({ ...one, [label]: word }))),
    [{}],
  );
}

function mapTable<Name extends string, Entry, Made>(
  table: Readonly<Record<Name, Entry>>,
  make: (name: Name, entry: Entry) => Made,
): Record<Name, Made> {
  const entries = Object.entries(table) as [Name, Entry][];
  return Object.fromEntries(entries.map(([name, entry]) => [name, make(name, entry)])) as Record<Name, Made>;
}
