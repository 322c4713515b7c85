// WORKERS: one process serves by itself; several share the port and are started again when one dies.
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config/config.ts';
import { claimPort } from './listen.ts';
import { serve } from './serve.ts';
import { tell } from './terminal.ts';

const metricsPortTaken =
  'The port of /metrics is taken, so nobody can read figures: set METRICS_PORT to a free port, or off.\n';

export async function serveWith(config: Config): Promise<void> {
  if (config.listen.workers === 1) return serve(config);
  if (!cluster.isPrimary) {
    await serve(config);
    process.send?.('serving');
    return;
  }
  await claimPort(config);
  const { serveFigures } = await import('../gather-figures.ts');
  if (!(await serveFigures(config))) tell(metricsPortTaken);
  let isStopping = false;
  const served = new Set<Worker>();
  for (let count = 0; count < config.listen.workers; count++) cluster.fork();
  cluster.on('message', (worker: Worker, message: unknown) => message === 'serving' && served.add(worker));
  cluster.on('exit', (worker: Worker, code: number) => {
    // One that never came up would not come up the next time either.
    if (!isStopping && served.delete(worker)) cluster.fork();
    else endWhenAlone(isStopping ? 0 : code);
  });
  const stop = () => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function endWhenAlone(code: number): void {
  if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(code);
}
