// Figures for Prometheus, on a port of their own; the table of figures says which there are and what their labels hold.
import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client';
import { counters, type GaugeName, gauges, histograms, storeHistograms } from '../../kernel/metrics.ts';
import type { Metrics } from '../../kernel/telemetry.ts';
import { createMetricsServer, type MetricsServer } from './metrics-server.ts';

export type Reading = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** Cumulative counts by upper bound, as a histogram is told. */
export type Distribution = { readonly counts: readonly number[]; readonly sum: number; readonly count: number };

export type PrometheusMetrics = Metrics &
  MetricsServer & {
    /** Figures that are read when they are asked for; none where they cannot be read. */
    gauge(name: GaugeName, read: () => readonly Reading[] | Promise<readonly Reading[]>): void;
    /** A histogram that is kept elsewhere. */
    distribution(name: keyof typeof storeHistograms, read: () => Distribution): void;
    /** All figures as data, for the process that adds up those of all workers. */
    dump(): Promise<object[]>;
  };

/** Series of a counter that are told as 0 before anything happened, so that the first one is seen as a rise. */
const mostFromStart = 16;

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counted = mapTable(counters, (name, { help, labels }) => {
    const labelNames = Object.keys(labels);
    const counter = new Counter({ name: `gatehouse_${name}_total`, help, labelNames, registers: [registry] });
    const combinations = combine(labels);
    if (combinations.length <= mostFromStart) for (const words of combinations) counter.inc(words, 0);
    return counter;
  });
  const measured = mapTable(histograms, (name, { help, labels, buckets }) => {
    const labelNames = Object.keys(labels);
    return new Histogram({
      name: `gatehouse_${name}`,
      help,
      labelNames,
      buckets: [...buckets],
      registers: [registry],
    });
  });
  const register = (metric: object) => registry.registerMetric(metric as never);
  return {
    request: ({ method, route, status, seconds }) =>
      measured.request_seconds.observe({ method, route, status: String(status) }, seconds),
    count: (name, labels, by = 1) => counted[name].inc(labels as Record<string, string>, by),
    observe: (name, labels, value) => measured[name].observe(labels as Record<string, string>, value),
    gauge: (name, read) => {
      const { help, ofAll } = gauges[name];
      const head = { name: `gatehouse_${name}`, help, type: 'gauge', aggregator: ofAll };
      const get = async () => {
        const readings = await Promise.resolve()
          .then(read)
          .catch(() => []);
        return { ...head, values: readings.map(({ labels = {}, value }) => ({ labels, value })) };
      };
      register({ ...head, get });
    },
    distribution: (name, read) => {
      const { help, buckets } = storeHistograms[name];
      const head = { name: `gatehouse_${name}`, help, type: 'histogram', aggregator: 'sum' };
      register({ ...head, get: async () => ({ ...head, values: toSeries(head.name, buckets, read()) }) });
    },
    dump: () => registry.getMetricsAsJSON(),
    ...createMetricsServer(() => registry.metrics()),
  };
}

function toSeries(name: string, buckets: readonly number[], { counts, sum, count }: Distribution) {
  return [
    ...buckets.map((le, index) => ({ metricName: `${name}_bucket`, labels: { le }, value: counts[index] ?? 0 })),
    { metricName: `${name}_bucket`, labels: { le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels: {}, value: sum },
    { metricName: `${name}_count`, labels: {}, value: count },
  ];
}

type Labels = Readonly<Record<string, readonly string[] | string>>;

/** Every combination of closed words; none where a label's words come from elsewhere. */
function combine(labels: Labels): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, words]) =>
      typeof words === 'string' ? [] : all.flatMap((one) => words.map((word) => ({ ...one, [label]: word }))),
    [{}],
  );
}

function mapTable<Name extends string, Line, Made>(
  table: Readonly<Record<Name, Line>>,
  make: (name: Name, line: Line) => Made,
): Record<Name, Made> {
  const entries = Object.entries(table) as [Name, Line][];
  return Object.fromEntries(entries.map(([name, line]) => [name, make(name, line)])) as Record<Name, Made>;
}
