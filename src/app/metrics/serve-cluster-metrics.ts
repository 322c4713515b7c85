// Composition: the figures of all workers on one port, served by the first process.

import type { Config } from '../../config/config.ts';
import { gatherMetrics } from './cluster-metrics.ts';

/** False when the port is taken. */
export async function serveClusterMetrics({ listen: { host, metricsPort } }: Config): Promise<boolean> {
  return metricsPort === undefined || gatherMetrics().listen(host, metricsPort);
}
