// Composition: serves the metrics of all workers on one port, from the primary process.

import type { Config } from '../../config/config.ts';
import { gatherMetrics } from './cluster-metrics.ts';

/** Returns false if the port is in use. */
export async function serveClusterMetrics({ listen: { host, metricsPort } }: Config): Promise<boolean> {
  return metricsPort === undefined || gatherMetrics().listen(host, metricsPort);
}
