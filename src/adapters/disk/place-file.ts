// Has a thread place files on the disk. While it places some, the next ones gather: they then share one message and their syncs.
// A job on Node's pool for each step costs the main thread more where files come one by one, and keeps reads waiting; but while other
// programs sync the same disk it places five times as many files, because its syncs run side by side (bench/tried.md).
import type { Worker } from 'node:worker_threads';
import { segmentMemory } from '../../files/spool/segments.ts';
import { threadUrl } from '../../kernel/process/program-files.ts';
import { startThread } from '../../kernel/process/start-thread.ts';
import { createPlaceFiles, type PlaceError, type PlaceFiles, type PlaceOrder } from './place-files.ts';

/** When it resolves, the file is durable under its name. Throws the error of the disk. */
export type PlaceFile = (order: PlaceOrder) => Promise<void>;

type Waiting = { readonly order: PlaceOrder; readonly resolve: () => void; readonly reject: (error: Error) => void };

/** Small: the thread keeps nothing from one batch to the next. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

function startWriter(): Worker {
  return startThread(threadUrl('writer-thread'), { resourceLimits, workerData: segmentMemory });
}

/**
 * The thread starts with the first file, and again after it has ended. While the system gives no more threads, the caller's own thread
 * does the same work and waits for the disk.
 */
export function createPlaceFile(
  start: () => Worker = startWriter,
  placeHere: PlaceFiles = createPlaceFiles(segmentMemory),
): PlaceFile {
  let worker: Worker | undefined;
  let [placing, waiting]: [Waiting[], Waiting[]] = [[], []];

  function open(): Worker {
    const opened = start();
    let cause: unknown;
    opened.on('message', (errors: readonly (PlaceError | undefined)[]) => settle(errors));
    opened.on('error', (error) => {
      cause = error;
    });
    opened.on('exit', () => {
      worker = undefined;
      settle(placing.map(() => ({ code: undefined, message: `the thread that places files has ended: ${cause}` })));
    });
    return opened;
  }

  function settle(errors: readonly (PlaceError | undefined)[]): void {
    const done = placing;
    placing = [];
    // Only work under way keeps the process alive.
    if (waiting.length === 0) worker?.unref();
    else begin();
    done.forEach(({ resolve, reject }, index) => {
      const error = errors[index];
      if (error === undefined) resolve();
      else reject(Object.assign(new Error(error.message), { code: error.code }));
    });
  }

  function begin(): void {
    [placing, waiting] = [waiting, []];
    try {
      worker ??= open();
      worker.ref();
      worker.postMessage(placing.map(({ order }) => order));
    } catch {
      settle(placeHere(placing.map(({ order }) => order)));
    }
  }

  return (order) =>
    new Promise((resolve, reject) => {
      waiting.push({ order, resolve, reject });
      if (placing.length === 0) begin();
    });
}

/** One thread for all storages of the process. */
export const placeFile = createPlaceFile();
