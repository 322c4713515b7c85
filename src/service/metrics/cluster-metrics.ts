// One scrape for all workers: the primary process asks each worker for its metrics and returns the sum.
import cluster, { type Worker } from 'node:cluster';
import { Registry } from '@prometheus-io/client';
import { gauges } from './gauge-definitions.ts';
import { counters } from './metric-definitions.ts';
import { createMetricsServer, type MetricsServer } from './metrics-server.ts';
import { createSeriesCounter } from './series-counter.ts';

type Question = { readonly requestMetrics: number };
type Answer = { readonly answerTo: number; readonly dump: Dump };
type Dump = readonly { readonly type?: string; readonly values?: readonly object[] }[];

/** Longer than a gauge waits for the database, and shorter than Prometheus waits for a scrape by default, ten seconds. */
const answerMilliseconds = 7000;
/** A worker that has never answered is most likely starting. */
const firstAnswerMilliseconds = 1000;

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
  const unread = createSeriesCounter(['gauge']);
  cluster.on('exit', ({ id }: Worker) => {
    const last = latest.get(id);
    latest.delete(id);
    if (last === undefined) return;
    gone = gone.then((known) => add([known, countsOf(last)]).getMetricsAsJSON());
  });
  /**
   * Resolves to the worker if it does not answer in time. Its last known counts then count, as those of one that has died. Its gauges would
   * tell of another time, so they are missing, and counted as such.
   */
  const ask = (worker: Worker): Promise<Worker | undefined> =>
    new Promise((resolve) => {
      const wanted = ++question;
      const end = (late?: Worker) => {
        clearTimeout(timer);
        worker.off('message', listen);
        resolve(late);
      };
      const listen = (message: Partial<Answer> | string) => {
        if (typeof message === 'string' || message.answerTo !== wanted || message.dump === undefined) return;
        latest.set(worker.id, message.dump);
        end();
      };
      const timer = latest.has(worker.id)
        ? setTimeout(() => end(worker), answerMilliseconds)
        : setTimeout(end, firstAnswerMilliseconds);
      worker.on('message', listen);
      worker.send({ requestMetrics: wanted } satisfies Question, (error) => {
        if (error !== null) end();
      });
    });
  return createMetricsServer(async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const late = new Set(await Promise.all(workers.filter((worker) => worker.isConnected()).map(ask)));
    const isPresent = (worker: Worker | undefined) => worker?.isConnected() === true && !late.has(worker);
    for (const worker of late)
      if (worker !== undefined) for (const gauge of Object.keys(gauges)) unread.add({ gauge }, 1);
    // Both at one moment: a worker that exits counts in one of them, never in both or none. It is disconnected a little before that.
    const known = gone;
    const dumps = [...latest].map(([id, dump]) => (isPresent(cluster.workers?.[id]) ? dump : countsOf(dump)));
    return add([await known, ...dumps, [{ ...gaugeFailures, values: unread.read() }]]).metrics();
  });
}

const gaugeFailures = {
  name: 'gatehouse_gauge_failures_total',
  help: counters.gauge_failures.help,
  type: 'counter',
  aggregator: 'sum',
};

function countsOf(dump: Dump): Dump {
  return dump.filter(({ type }) => type !== 'gauge');
}

function add(dumps: readonly Dump[]): Registry {
  return Registry.aggregate(dumps as unknown as object[]);
}
