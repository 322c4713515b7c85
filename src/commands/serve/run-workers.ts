// WORKERS: one process serves by itself. Several share the port, and each is restarted when it dies.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config, ConfigResult } from '../../config/config.ts';
import { claimDataDir } from '../claim-data-dir.ts';
import { tell } from '../terminal.ts';
import { mismatchExitCode } from '../write-mismatch.ts';
import { writeLanCode } from './lan.ts';
import { claimPort } from './listen.ts';
import { type Opens, runService } from './run-service.ts';

const metricsPortTaken =
  'The port of /metrics is in use, so metrics are not served: set METRICS_PORT to a free port, or to off.\n';
/** Set for workers then, so that their banner does not name a port of another process. */
const withoutMetrics = { METRICS_PORT: 'off' };

const reforkMilliseconds = 1000;

const filesChanged =
  'A worker could not be started again, because a file of the settings was changed and is wrong now. The other workers go on with the file as it was. Correct it: the next try follows in a second.\n';

export async function runWorkers(config: Config, isLan: boolean, tryConfig: () => ConfigResult): Promise<void> {
  if (config.listen.workers === 1) return runService(config, 'early', isLan);
  if (!cluster.isPrimary) {
    const [opens] = (await once(process, 'message')) as [Opens];
    await runService(config, opens, false);
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
  const { serveClusterMetrics } = await import('../../service/metrics/serve-cluster-metrics.ts');
  const hasMetrics = await serveClusterMetrics(config);
  if (!hasMetrics) tell(metricsPortTaken);
  let showsCode = isLan && process.stderr.isTTY;
  const fork = () => cluster.fork(hasMetrics ? {} : withoutMetrics);
  const served = new Set<Worker>();
  let forked = 1;
  fork();
  // The first worker opens its port early. Later ones open it when they are ready, because the others can answer.
  cluster.on('online', (worker: Worker) => worker.send((served.size === 0 ? 'early' : 'ready') satisfies Opens));
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (message !== 'serving') return;
    served.add(worker);
    for (; forked < config.listen.workers && !isStopping; forked++) fork();
    if (!showsCode || served.size < config.listen.workers) return;
    // Below the lines of every worker, where the eye is.
    showsCode = false;
    void writeLanCode(config.publicUrl).then((code) => tell(...code));
  });
  cluster.on('exit', (worker: Worker, code: number | null) => {
    const hasServed = served.delete(worker);
    const isFileWrong = code === mismatchExitCode && served.size > 0 && 'problems' in tryConfig();
    // A mismatch of database and storage is one for all workers.
    if (!isStopping && code === mismatchExitCode && !isFileWrong) stop(code);
    if (isStopping) endWhenAlone(exitCode);
    else if (hasServed) fork();
    else if (isFileWrong) {
      tell(filesChanged);
      setTimeout(() => !isStopping && fork(), reforkMilliseconds);
    }
    // A worker that was killed while it started has no exit code: memory was short, and another one may start.
    else if (code === null) setTimeout(() => !isStopping && fork(), reforkMilliseconds);
    // A worker that could not start would not start the next time either.
    else endWhenAlone(code);
  });
}

function endWhenAlone(code: number): void {
  if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(code);
}
