// Writes the tables of docs/monitoring.md from the table of metrics.
import { messageProviderNames } from '../src/adapters/providers.ts';
import { failureCodes } from '../src/kernel/failure.ts';
import { gauges } from '../src/service/metrics/gauge-definitions.ts';
import { counters, histograms, storeHistograms } from '../src/service/metrics/metric-definitions.ts';

type Line = { readonly help: string; readonly labels: Readonly<Record<string, readonly string[] | string>> };

/** The source of the values of an open label. */
const sources: Readonly<Record<string, string>> = {
  routes: 'a route pattern, or unknown',
  methods: 'an HTTP method',
  statuses: 'an HTTP status',
  purposes: 'a purpose of PURPOSES_FILE',
  providers: `${messageProviderNames.join(', ')}; a second one of a kind ends in -2`,
};

/** Metrics of the Node runtime. The library adds a few more. */
const runtime: readonly (readonly [name: string, meaning: string])[] = [
  ['process_cpu_seconds_total', 'CPU time, user and system'],
  ['process_resident_memory_bytes', 'resident memory of the process'],
  ['process_open_fds', 'open files and connections (Linux)'],
  ['nodejs_eventloop_lag_p99_seconds', 'event loop delay, 99th percentile'],
  ['nodejs_heap_size_used_bytes', 'JavaScript heap in use'],
  ['nodejs_external_memory_bytes', 'memory of buffers'],
  ['nodejs_gc_duration_seconds', 'duration of garbage collection by kind'],
  ['nodejs_active_handles_total', 'active handles: sockets, timers and others'],
];

/** The tables of docs/monitoring.md. */
export function metricsTables(): string {
  return `## Counters

${table(counters, (name) => `gatehouse_${name}_total`)}

## Histograms

${table({ ...histograms, ...storeHistograms }, (name) => `gatehouse_${name}`)}

## Gauges

${table(gauges, (name) => `gatehouse_${name}`)}

## Runtime

| name | meaning |
|---|---|
${runtime.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`).join('\n')}`;
}

export const runtimeNames: readonly string[] = runtime.map(([name]) => name);

function table(lines: Readonly<Record<string, Line>>, nameOf: (name: string) => string): string {
  const rows = Object.entries(lines).map(([name, { help, labels }]) => {
    const words = Object.entries(labels).map(([label, of]) => `\`${label}\`: ${valuesOf(of)}`);
    return `| \`${nameOf(name)}\` | ${words.join('; ')} | ${help} |`;
  });
  return `| name | labels | meaning |\n|---|---|---|\n${rows.join('\n')}`;
}

function valuesOf(words: readonly string[] | string): string {
  if (typeof words === 'string') return sources[words] ?? words;
  return words === failureCodes ? 'an [error code](errors.md)' : words.join(', ');
}
