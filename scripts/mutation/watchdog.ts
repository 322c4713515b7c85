// A thread that ends its process where a mutant makes it endless or enormous: the thread that runs the mutant cannot.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { workerData } from 'node:worker_threads';
import type { WatchedRun } from './watch-run.ts';

const { state, folder } = workerData as WatchedRun;

const checkMs = 50;
const mostMemory = 1.5 * 1024 ** 3;

let watched = 0;
let started = process.cpuUsage();

setInterval(() => {
  const [mutant = 0, mostCpuMs = 0] = state;
  if (mutant !== watched) started = process.cpuUsage();
  watched = mutant;
  if (mutant === 0) return;
  const { user, system } = process.cpuUsage(started);
  if ((user + system) / 1000 > mostCpuMs) giveUp('It does not end');
  else if (process.memoryUsage.rss() > mostMemory) giveUp('It takes all memory');
}, checkMs);

/** Leaves a note for the next process, which is asked about the same mutant. */
function giveUp(reason: string): void {
  writeFileSync(join(folder, String(watched)), reason);
  process.kill(process.pid, 'SIGKILL');
}
