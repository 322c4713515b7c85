// Figures for Prometheus, on a port of their own; labels name routes, codes and providers, never people.
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { CounterName, Metrics } from '../../kernel/telemetry.ts';

export type PrometheusMetrics = Metrics & {
  /** A figure that is read when it is asked for. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** False when the port is taken. */
  listen(host: string, port: number): Promise<boolean>;
  close(): Promise<void>;
};

const counters: Record<CounterName, { help: string; labels: string[] }> = {
  failures: { help: 'Failed answers by code', labels: ['code'] },
  deliveries: { help: 'Messages handed to providers', labels: ['channel', 'provider', 'outcome'] },
  store_troubles: { help: 'Times the database could not be had', labels: [] },
  swept_rows: { help: 'Rows removed because their time was over', labels: ['table'] },
};

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'gatehouse_request_seconds',
    help: 'Answered requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const made = new Map(
    Object.entries(counters).map(([name, { help, labels }]) => [
      name,
      new Counter({ name: `gatehouse_${name}_total`, help, labelNames: labels, registers: [registry] }),
    ]),
  );
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  });
  return {
    request: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    count: (name, labels) => made.get(name)?.inc(labels),
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({
        name: `gatehouse_${name}`,
        help,
        registers: [registry],
        collect: async () => gauge.set(await Promise.resolve(read()).catch(() => Number.NaN)),
      });
    },
    listen: (host, port) =>
      new Promise((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(port, host, () => resolve(true));
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
