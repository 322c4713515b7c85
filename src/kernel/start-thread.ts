// Starts a thread with a JavaScript prologue that turns on the compile cache, so that the thread need not load the TypeScript parser.
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread does not share the cache of the process. The TypeScript parser takes about 15 MiB in each thread and never frees them. */
const prologue = `
  const { enableCompileCache, flushCompileCache } = require('node:module');
  enableCompileCache();
  setTimeout(flushCompileCache, 700).unref();
  import(process.argv[2]);
`;

export function startThread(
  entry: URL,
  options: Pick<WorkerOptions, 'workerData' | 'transferList' | 'resourceLimits'>,
): Worker {
  return new Worker(prologue, { ...options, eval: true, argv: [entry.href] });
}
