// Threads keep their own heap limits in a process that was started as `npm start` starts it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const startThread = new URL('../../../src/kernel/process/start-thread.ts', import.meta.url).href;
const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};
const startFlags = scripts.start.split(' ').filter((word) => word.startsWith('--') && word !== '--');

const tellLimit = `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  import { getHeapStatistics } from 'node:v8';
  parentPort.postMessage(getHeapStatistics().heap_size_limit / 2 ** 20);
`)}`;

/** Starts a thread with each of the limits, all in one process. Returns the heap limits in MiB, that of the main thread first. */
async function heapLimits(flags: readonly string[], own: readonly (number | undefined)[]): Promise<number[]> {
  const program = `
    const { getHeapStatistics } = require('node:v8');
    const { once } = require('node:events');
    const tell = async () => {
      const { startThread } = await import('${startThread}');
      const limits = [];
      for (const maxOldGenerationSizeMb of ${JSON.stringify(own.map((each) => each ?? null))}) {
        const options = maxOldGenerationSizeMb === null ? {} : { resourceLimits: { maxOldGenerationSizeMb } };
        limits.push((await once(startThread(new URL(${JSON.stringify(tellLimit)}), options), 'message'))[0]);
      }
      console.log(JSON.stringify([getHeapStatistics().heap_size_limit / 2 ** 20, ...limits]));
    };
    tell();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=commonjs',
    '--eval',
    program,
  ]);
  return JSON.parse(stdout) as number[];
}

describe('the heap of a thread', () => {
  it('the start line of the service does not lift the limit of a thread, and limits the others like the main thread', async () => {
    const [main = 0, small = 0, free = 0] = await heapLimits(startFlags, [64, undefined]);
    assert.ok(main > 1024 && main < 1100, `${main} MiB for the main thread`);
    assert.ok(small >= 64 && small < 100, `${small} MiB for a thread that may have 64`);
    assert.ok(free >= 1024 && free < 1150, `${free} MiB for a thread without a limit of its own`);
  });

  it('a limit that the operator gives in another way does not lift it either', async () => {
    const [main = 0, small = 0, free = 0] = await heapLimits(['--max-old-space-size=3000'], [64, undefined]);
    assert.ok(main >= 3000 && free >= 3000, `${main} and ${free} MiB`);
    assert.ok(small < 200, `${small} MiB for a thread that may have 64`);
  });
});
