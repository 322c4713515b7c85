// A few threads that examine one file each; a thread that dies or runs away costs the file that it had, and another takes its place.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../kernel/start-thread.ts';
import type { SpoolAnswer, SpoolOrder } from './examine-spool.ts';
import { createFairQueue } from './fair-queue.ts';
import type { ExaminerRefusal, ThreadWord } from './serve-orders.ts';

/** Why a thread ended before its file: too much processor time, too much memory, or anything else. */
export type Loss = 'time' | 'memory' | 'crash';

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: SpoolAnswer }
  | { readonly kind: 'refusal'; readonly refusal: ExaminerRefusal }
  | { readonly kind: 'lost'; readonly loss: Loss; readonly error: unknown }
  /** The file was not looked at. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

export type PoolPolicy = {
  readonly threads: number;
  /** What a file of this many bytes may take of a processor. */
  readonly cpuMilliseconds: (bytes: number) => number;
  readonly heapMebibytes: number;
  readonly waitMilliseconds: number;
};

export type ThreadPool = {
  readonly waiting: number;
  waitingFor(userId: string): number;
  run(userId: string, order: SpoolOrder): Promise<Outcome>;
  stop(): Promise<void>;
};

type Job = { readonly order: SpoolOrder; readonly since: number; readonly resolve: (outcome: Outcome) => void };

type Thread = {
  readonly worker: Worker;
  isReady: boolean;
  job: Job | undefined;
  /** What it had used when it took the job. */
  cpuMilliseconds: number;
  loss: Loss | undefined;
  error: unknown;
};

const lookEveryMilliseconds = 100;

export function createThreadPool(entry: URL, policy: PoolPolicy): ThreadPool {
  const queue = createFairQueue<Job>();
  const threads = new Set<Thread>();
  let isStopped = false;
  let watch: NodeJS.Timeout | undefined;

  function start(): Thread {
    const { heapMebibytes } = policy;
    const resourceLimits = { maxOldGenerationSizeMb: heapMebibytes, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };
    const worker = startThread(entry, { resourceLimits });
    const thread: Thread = {
      worker,
      isReady: false,
      job: undefined,
      cpuMilliseconds: 0,
      loss: undefined,
      error: undefined,
    };
    worker.unref();
    worker.on('message', (word: ThreadWord) => hear(thread, word));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      thread.loss ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
      thread.error = error;
    });
    worker.on('exit', () => bury(thread));
    threads.add(thread);
    return thread;
  }

  function hear(thread: Thread, word: ThreadWord): void {
    thread.cpuMilliseconds = word.cpuMilliseconds;
    if (word.kind === 'ready') {
      thread.isReady = true;
      return;
    }
    end(thread, word);
    dispatch();
  }

  function bury(thread: Thread): void {
    threads.delete(thread);
    const { loss = 'crash', error, isReady } = thread;
    end(thread, isReady && !isStopped ? { kind: 'lost', loss, error } : { kind: 'unavailable', error });
    dispatch();
  }

  function end(thread: Thread, outcome: Outcome): void {
    thread.job?.resolve(outcome);
    thread.job = undefined;
  }

  /** Threads begin when they are needed: a service that takes no files has none. */
  function findIdle(): Thread | undefined {
    // One that is being ended would take its next file with it, which is not to blame.
    for (const thread of threads) if (thread.job === undefined && thread.loss === undefined) return thread;
    return threads.size < policy.threads ? start() : undefined;
  }

  function dispatch(): void {
    while (queue.waiting > 0 && !isStopped) {
      const thread = findIdle();
      const job = thread === undefined ? undefined : queue.shift();
      if (thread === undefined || job === undefined) break;
      if (performance.now() - job.since > policy.waitMilliseconds) {
        job.resolve({ kind: 'unavailable', error: undefined });
        continue;
      }
      thread.job = job;
      thread.worker.postMessage(job.order);
    }
    watch ??= setInterval(look, lookEveryMilliseconds).unref();
  }

  /** Processor time, not the clock: on a busy machine an honest file takes long, too. */
  function look(): void {
    const busy = [...threads].filter(({ job }) => job !== undefined);
    if (busy.length === 0) {
      clearInterval(watch);
      watch = undefined;
    }
    for (const thread of busy) lookAt(thread, thread.job).catch(() => undefined);
  }

  async function lookAt(thread: Thread, job: Job | undefined): Promise<void> {
    const { user, system } = await thread.worker.cpuUsage();
    const used = (user + system) / 1000 - thread.cpuMilliseconds;
    if (job === undefined || thread.job !== job || used <= policy.cpuMilliseconds(job.order.size)) return;
    thread.loss = 'time';
    await thread.worker.terminate();
  }

  return {
    get waiting() {
      return queue.waiting;
    },
    waitingFor: queue.waitingFor,
    run: (userId, order) =>
      new Promise((resolve) => {
        if (isStopped) return resolve({ kind: 'unavailable', error: undefined });
        queue.push(userId, { order, since: performance.now(), resolve });
        dispatch();
      }),
    stop: async () => {
      isStopped = true;
      clearInterval(watch);
      for (let job = queue.shift(); job !== undefined; job = queue.shift())
        job.resolve({ kind: 'unavailable', error: undefined });
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
