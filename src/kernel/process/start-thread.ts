// Starts a thread with a JavaScript prologue that turns on the compile cache, so that the thread need not load the TypeScript parser.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { entryUrl } from './program-files.ts';

/** A thread does not share the cache of the process. The TypeScript parser takes about 15 MiB in each thread and never frees them. */
const prologue = `
  const { enableCompileCache, flushCompileCache } = require('node:module');
  enableCompileCache();
  setTimeout(flushCompileCache, 700).unref();
  import(process.argv[2]);
`;

type ThreadOptions = Pick<WorkerOptions, 'workerData' | 'transferList' | 'resourceLimits'> & {
  /** The space for new objects, for a thread without limits of its own. */
  readonly youngMebibytes?: number | undefined;
  /** Node loads the modules of --import only into a thread that begins with a file. They need memory that no limit counts with. */
  readonly loadsImports?: boolean;
};

/**
 * A thread without limits of its own gets the heap limit of the thread that starts it. `--max-old-space-size` would replace the limits of
 * every thread, those of a thread that examines files too. A heap that is there already keeps its limit when the flag is taken back.
 */
export function startThread(
  entry: URL,
  { resourceLimits, youngMebibytes, loadsImports = false, ...options }: ThreadOptions,
): Worker {
  setFlagsFromString('--max-old-space-size=0');
  const limits = resourceLimits ?? {
    maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20),
    ...(youngMebibytes !== undefined && { maxYoungGenerationSizeMb: youngMebibytes }),
  };
  const all = { ...options, resourceLimits: limits, argv: [entry.href] };
  return loadsImports ? new Worker(entryUrl('thread-prologue'), all) : new Worker(prologue, { ...all, eval: true });
}
