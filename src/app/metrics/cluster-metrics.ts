// One scrape for all workers: the primary process asks each worker for its metrics and returns the sum.
import cluster, { type Worker } from 'node:cluster';
import { Registry } from '@prometheus-io/client';
import { createMetricsServer, type MetricsServer } from './metrics-server.ts';

type Question = { readonly requestMetrics: number };
type Answer = { readonly answerTo: number; readonly dump: Dump };
type Dump = readonly { readonly type?: string }[];

const answerMilliseconds = 3000;

/** Runs in a worker. Sends the metrics when the primary process asks. */
export function reportMetrics(dump: () => Promise<object[]>): void {
  process.on('message', async (message: Partial<Question> | undefined) => {
    if (typeof message?.requestMetrics !== 'number') return;
    process.send?.({ answerTo: message.requestMetrics, dump: await dump() } satisfies Answer);
  });
}

/** Runs in the primary process. It keeps the counts of dead workers: Prometheus takes a falling counter for a restart. */
export function gatherMetrics(): MetricsServer {
  let question = 0;
  let gone: Promise<Dump> = Promise.resolve([]);
  const latest = new Map<number, Dump>();
  cluster.on('exit', ({ id }: Worker) => {
    const last = latest.get(id);
    latest.delete(id);
    if (last === undefined) return;
    const counted = last.filter(({ type }) => type !== 'gauge');
    gone = gone.then((known) => add([known, counted]).getMetricsAsJSON());
  });
  const ask = (worker: Worker): Promise<Dump> =>
    new Promise((resolve) => {
      const wanted = ++question;
      const end = (dump: Dump) => {
        clearTimeout(timer);
        worker.off('message', listen);
        resolve(dump);
      };
      const listen = (message: Partial<Answer> | string) => {
        if (typeof message === 'string' || message.answerTo !== wanted || message.dump === undefined) return;
        latest.set(worker.id, message.dump);
        end(message.dump);
      };
      // For a worker that is too busy to answer, the last known values count.
      const timer = setTimeout(() => end(latest.get(worker.id) ?? []), answerMilliseconds);
      worker.on('message', listen);
      worker.send({ requestMetrics: wanted } satisfies Question, (error) => {
        if (error !== null) end(latest.get(worker.id) ?? []);
      });
    });
  return createMetricsServer(async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const dumps = await Promise.all(workers.filter((worker) => worker.isConnected()).map(ask));
    return add([await gone, ...dumps]).metrics();
  });
}

function add(dumps: readonly Dump[]): Registry {
  return Registry.aggregate(dumps as unknown as object[]);
}
