// Counts the calls of a run and the processor time that the peer spends on them, warm-up included in both.
import { readFileSync } from 'node:fs';
import type { Caller } from './drive.ts';

/** Linux counts processor time in these. */
const ticksPerSecond = 100;

export function watchProcessor(pid: number, callers: readonly Caller[]) {
  let calls = 0;
  const before = processorSeconds(pid);
  const counted = callers.map(
    ({ ask, check }): Caller => ({
      ask,
      check: (...answer) => {
        calls += 1;
        check(...answer);
      },
    }),
  );
  return {
    callers: counted,
    /** Not a number where the work is done by other processes of the peer. */
    microsecondsPerCall: () => {
      const microseconds = ((processorSeconds(pid) - before) * 1e6) / calls;
      return microseconds < 1 ? Number.NaN : microseconds;
    },
  };
}

/** Of all threads of the process, those that have ended included. Only Linux reports it for another process. */
function processorSeconds(pid: number): number {
  try {
    // The name of the program comes first, and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}
