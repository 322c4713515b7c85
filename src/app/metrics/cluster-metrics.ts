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
    gone = gone.then((known) => add([known, countsOf(last)]).getMetricsAsJSON());
  });
  /** For a worker that does not answer in time, or that has died, the last known values count. */
  const ask = (worker: Worker): Promise<void> =>
    new Promise((resolve) => {
      const wanted = ++question;
      const end = () => {
        clearTimeout(timer);
        worker.off('message', listen);
        resolve();
      };
      const listen = (message: Partial<Answer> | string) => {
        if (typeof message === 'string' || message.answerTo !== wanted || message.dump === undefined) return;
        latest.set(worker.id, message.dump);
        end();
      };
      const timer = setTimeout(end, answerMilliseconds);
      worker.on('message', listen);
      worker.send({ requestMetrics: wanted } satisfies Question, (error) => {
        if (error !== null) end();
      });
    });
  return createMetricsServer(async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.filter((worker) => worker.isConnected()).map(ask));
    // Both at one moment: a worker that exits counts in one of them, never in both or none. It is disconnected a little before that.
    const known = gone;
    const dumps = [...latest].map(([id, dump]) => (cluster.workers?.[id]?.isConnected() ? dump : countsOf(dump)));
    return add([await known, ...dumps]).metrics();
  });
}

function countsOf(dump: Dump): Dump {
  return dump.filter(({ type }) => type !== 'gauge');
}

function add(dumps: readonly Dump[]): Registry {
  return Registry.aggregate(dumps as unknown as object[]);
}
