// WORKERS: one process serves by itself; several share the port and are started again when one dies.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '../config/config.ts';
import { claimDataDir } from './claim-data-dir.ts';
import { claimPort } from './listen.ts';
import { type Opens, serve } from './serve.ts';
import { tell } from './terminal.ts';
import { mismatchExitCode } from './write-mismatch.ts';

const metricsPortTaken =
  'The port of /metrics is taken, so nobody can read figures: set METRICS_PORT to a free port, or off.\n';
/** What a worker is told then, so that it names no address that belongs to another process. */
const withoutMetrics = { METRICS_PORT: 'off' };

const reforkMilliseconds = 1000;

export async function serveWith(config: Config): Promise<void> {
  if (config.listen.workers === 1) return serve(config, 'early');
  if (!cluster.isPrimary) {
    const [opens] = (await once(process, 'message')) as [Opens];
    await serve(config, opens);
    process.send?.('serving');
    return;
  }
  let isStopping = false;
  let exitCode = 0;
  const stop = (code: number) => {
    isStopping = true;
    exitCode = code;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    endWhenAlone(code);
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  await claimPort(config);
  claimDataDir(config);
  const { serveClusterMetrics } = await import('../app/metrics/serve-cluster-metrics.ts');
  const hasMetrics = await serveClusterMetrics(config);
  if (!hasMetrics) tell(metricsPortTaken);
  const fork = () => cluster.fork(hasMetrics ? {} : withoutMetrics);
  const served = new Set<Worker>();
  let forked = 1;
  fork();
  // Nobody shall wait for a worker that starts while another could answer.
  cluster.on('online', (worker: Worker) => worker.send((served.size === 0 ? 'early' : 'ready') satisfies Opens));
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (message !== 'serving') return;
    served.add(worker);
    for (; forked < config.listen.workers && !isStopping; forked++) fork();
  });
  cluster.on('exit', (worker: Worker, code: number | null) => {
    // Wrong settings are wrong for all of them.
    if (!isStopping && code === mismatchExitCode) stop(code);
    const hasServed = served.delete(worker);
    if (isStopping) endWhenAlone(exitCode);
    else if (hasServed) fork();
    // One that was killed on its way up has no code: the machine was short of memory, and another may come up.
    else if (code === null) setTimeout(() => !isStopping && fork(), reforkMilliseconds);
    // One that could not come up would not come up the next time either.
    else endWhenAlone(code);
  });
}

function endWhenAlone(code: number): void {
  if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(code);
}
