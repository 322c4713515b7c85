// Bounds processor time and memory of the run of a mutant. Time on the clock says nothing on a busy machine.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export type WatchedRun = {
  /** The number of the mutant that runs, from 1, or 0; and the milliseconds of processor time that it may take. */
  state: Int32Array<SharedArrayBuffer>;
  /** Has a file for each mutant that was given up. */
  folder: string;
};

export type Watch = {
  /** Why a mutant was given up by an earlier process. */
  reasonOf(mutant: string): string | undefined;
  begin(mutant: string, mostCpuMs: number): void;
  end(): void;
};

export function startWatch(folder: string): Watch {
  mkdirSync(folder, { recursive: true });
  const state = new Int32Array(new SharedArrayBuffer(8));
  const workerData: WatchedRun = { state, folder };
  new Worker(new URL('./watchdog.ts', import.meta.url), { workerData }).unref();
  const numberOf = (mutant: string) => Number(mutant) + 1;
  return {
    reasonOf: (mutant) => {
      const note = join(folder, String(numberOf(mutant)));
      return existsSync(note) ? readFileSync(note, 'utf8') : undefined;
    },
    begin: (mutant, mostCpuMs) => {
      state[1] = mostCpuMs;
      state[0] = numberOf(mutant);
    },
    end: () => {
      state[0] = 0;
    },
  };
}
