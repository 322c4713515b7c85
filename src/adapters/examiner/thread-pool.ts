// A pool of threads that examine one file each. If a thread dies or exceeds its budget, its file fails and a new thread starts.

import type { Worker } from 'node:worker_threads';
import { segmentMemory } from '../../files/spool/segments.ts';
import type { UserId } from '../../kernel/ids.ts';
import { startThread } from '../../kernel/process/start-thread.ts';
import { createFairQueue, type FairQueue } from '../../kernel/work/fair-queue.ts';
import type { SpoolAnswer, SpoolTask } from './examine-spool.ts';
import type { ExaminerRefusal, ThreadMessage } from './serve-tasks.ts';

/** Why a thread died on its file: too much CPU time, too much memory, or anything else. */
export type Loss = 'time' | 'memory' | 'crash';

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: SpoolAnswer }
  | { readonly kind: 'refusal'; readonly refusal: ExaminerRefusal }
  | { readonly kind: 'lost'; readonly loss: Loss; readonly error: unknown }
  /** The file was not examined. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

export type PoolPolicy = {
  readonly threads: number;
  /** The CPU budget of a file with this many bytes. */
  readonly cpuMilliseconds: (bytes: number) => number;
  readonly heapMebibytes: number;
  readonly waitMilliseconds: number;
  readonly mostWaiting: number;
  readonly mostWaitingOfOne: number;
};

type ThreadPool = Pick<FairQueue<unknown>, 'waiting' | 'refusal'> & {
  run(userId: UserId, order: SpoolTask): Promise<Outcome>;
  stop(): Promise<void>;
};

type Job = { readonly order: SpoolTask; readonly since: number; readonly resolve: (outcome: Outcome) => void };

type Thread = {
  readonly worker: Worker;
  isReady: boolean;
  job: Job | undefined;
  /** The total CPU time of the thread when it took the job. */
  cpuMilliseconds: number;
  loss: Loss | undefined;
  error: unknown;
};

const checkEveryMilliseconds = 100;

export function createThreadPool(entry: URL, policy: PoolPolicy, openThread = startThread): ThreadPool {
  const queue = createFairQueue<Job>({ most: policy.mostWaiting, mostOfOne: policy.mostWaitingOfOne });
  const threads = new Set<Thread>();
  let isStopped = false;
  let watch: NodeJS.Timeout | undefined;

  function start(): Thread {
    const { heapMebibytes } = policy;
    const resourceLimits = { maxOldGenerationSizeMb: heapMebibytes, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };
    const worker = openThread(entry, { resourceLimits, workerData: segmentMemory });
    const thread: Thread = {
      worker,
      isReady: false,
      job: undefined,
      cpuMilliseconds: 0,
      loss: undefined,
      error: undefined,
    };
    worker.unref();
    worker.on('message', (message: ThreadMessage) => receive(thread, message));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      thread.loss ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
      thread.error = error;
    });
    worker.on('exit', () => removeThread(thread));
    threads.add(thread);
    return thread;
  }

  function receive(thread: Thread, message: ThreadMessage): void {
    thread.cpuMilliseconds = message.cpuMilliseconds;
    if (message.kind === 'ready') {
      thread.isReady = true;
      return;
    }
    end(thread, message);
    dispatch();
  }

  function removeThread(thread: Thread): void {
    threads.delete(thread);
    const { loss = 'crash', error, isReady } = thread;
    end(thread, isReady && !isStopped ? { kind: 'lost', loss, error } : { kind: 'unavailable', error });
    dispatch();
  }

  function end(thread: Thread, outcome: Outcome): void {
    thread.job?.resolve(outcome);
    thread.job = undefined;
  }

  /** Starts threads only when needed, so a service without uploads has none. */
  function findIdle(): Thread | undefined {
    // Skips a thread that is being terminated, because it would fail a file that did nothing wrong.
    for (const thread of threads) if (thread.job === undefined && thread.loss === undefined) return thread;
    if (threads.size >= policy.threads) return undefined;
    try {
      return start();
    } catch (error) {
      // The system gives no more threads. The existing threads take what waits.
      if (threads.size === 0) refuseAll(error);
      return undefined;
    }
  }

  /** Nothing may stay in the queue without its caller: its memory belongs to the next upload then. */
  function refuseAll(error?: unknown): void {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) job.resolve({ kind: 'unavailable', error });
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
    watch ??= setInterval(checkBudgets, checkEveryMilliseconds).unref();
  }

  /** Measures CPU time, not elapsed time: on a busy machine a valid file takes long too. */
  function checkBudgets(): void {
    const busy = [...threads].filter(({ job }) => job !== undefined);
    if (busy.length === 0) {
      clearInterval(watch);
      watch = undefined;
    }
    for (const thread of busy) checkBudget(thread, thread.job).catch(() => undefined);
  }

  async function checkBudget(thread: Thread, job: Job | undefined): Promise<void> {
    const { user, system } = await thread.worker.cpuUsage();
    // A slow machine takes long to start a thread. That is not the fault of the file.
    if (!thread.isReady) return;
    const used = (user + system) / 1000 - thread.cpuMilliseconds;
    if (job === undefined || thread.job !== job || used <= policy.cpuMilliseconds(job.order.size)) return;
    thread.loss = 'time';
    await thread.worker.terminate();
  }

  return {
    get waiting() {
      return queue.waiting;
    },
    refusal: queue.refusal,
    run: (userId, order) =>
      new Promise((resolve) => {
        if (isStopped) return resolve({ kind: 'unavailable', error: undefined });
        const job = { order, since: performance.now(), resolve };
        // A large file may take longer, so it counts for more.
        const refused = queue.push([userId], job, policy.cpuMilliseconds(order.size));
        refused?.resolve({ kind: 'unavailable', error: undefined });
        dispatch();
      }),
    stop: async () => {
      isStopped = true;
      clearInterval(watch);
      refuseAll();
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
