// Prints how long each hostile or slow file holds the event loop; a program of its own, without a test runner's hooks.
import type { Proof } from '../../src/files/media-type.ts';
import { proveMediaType } from '../../src/files/prove-media-type.ts';
import { hostileMedia } from './hostile-media.ts';
import { inMemory } from './media-files.ts';
import { slowMedia } from './slow-media-files.ts';

export type Hold = { name: string; milliseconds: number; isProved: boolean };

const holds: Hold[] = [];
for (const { name, bytes } of [...hostileMedia(), ...slowMedia()]) {
  let proof: Proof | undefined;
  const milliseconds = await longestHold(async () => {
    proof = await proveMediaType(inMemory(bytes));
  });
  holds.push({ name, milliseconds, isProved: proof?.kind === 'proved' });
}
console.log(JSON.stringify(holds));

async function longestHold(work: () => Promise<void>): Promise<number> {
  let isDone = false;
  let longest = 0;
  let last = threadMilliseconds();
  const turn = (): void => {
    const now = threadMilliseconds();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  turn();
  return longest;
}

/** Processor time of this thread, not the clock: what other programs take from the machine is not held by the work. */
function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
