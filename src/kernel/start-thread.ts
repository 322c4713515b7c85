// Starts a thread by way of plain JavaScript that turns the compile cache on, so that it need not load what reads TypeScript.
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread shares no cache with the process. What reads TypeScript takes about 15 MiB in each that loads it, and never gives them back. */
const opening = `
  const { enableCompileCache, flushCompileCache } = require('node:module');
  enableCompileCache();
  setTimeout(flushCompileCache, 700).unref();
  import(process.argv[2]);
`;

export function startThread(
  entry: URL,
  options: Pick<WorkerOptions, 'workerData' | 'transferList' | 'resourceLimits'>,
): Worker {
  return new Worker(opening, { ...options, eval: true, argv: [entry.href] });
}
