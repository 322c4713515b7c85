// Prints how long examining each flood, slow or worst file holds the event loop. A program of its own, without the hooks of a test runner.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { floodFiles } from '../../../media/test/helpers/flood-files.ts';
import { slowMedia } from '../../../media/test/helpers/slow-media-files.ts';
import { createExaminer } from '../../../src/adapters/examiner/create-examiner.ts';
import { examineBytes, silentLog, verdictOf } from '../../helpers/uploads/examine-bytes.ts';

export type Hold = { name: string; milliseconds: number; isProved: boolean };

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-holds-'));
const examiner = createExaminer(silentLog);
const holds: Hold[] = [];
for (const { name, bytes } of [...floodFiles(), ...slowMedia()]) {
  let refusal: string | undefined;
  const milliseconds = await longestHold(async () => {
    refusal = await verdictOf(examineBytes(examiner, folder, bytes));
  });
  holds.push({ name, milliseconds, isProved: refusal === undefined });
}
await examiner.stop();
rmSync(folder, { recursive: true });
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

/** CPU time of this thread instead of elapsed time, because other programs share the machine. */
function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
