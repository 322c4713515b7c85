// An examiner thread like the real one, but it misbehaves if the first word of a file says so, as a broken prover would.
import { readFileSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { examineSpool } from '../../../src/adapters/examiner/examine-spool.ts';
import { serveTasks } from '../../../src/adapters/examiner/serve-tasks.ts';
import { segmentAt } from '../../../src/files/spool/segments.ts';

const misdeeds: Readonly<Record<string, (strippedPath: string) => void>> = {
  loop: () => {
    for (;;);
  },
  regular: () => {
    /^(?:a+)+$/.test(`${'a'.repeat(60)}b`);
  },
  'half-written': (strippedPath) => {
    writeFileSync(strippedPath, 'half of it');
    for (;;);
  },
  memory: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
  },
  stack: () => dig(0),
  throw: () => {
    throw new TypeError('a prover with a mistake');
  },
  exit: () => process.exit(3),
  pause: () => sleep(1500),
  nap: () => sleep(200),
};

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function dig(depth: number): number {
  return dig(depth + 1) + 1;
}

if (parentPort !== null) {
  serveTasks(parentPort, workerData as SharedArrayBuffer, (order, memory) => {
    const { place } = order;
    const bytes =
      place.kind === 'file' ? readFileSync(place.path) : segmentAt(memory, place.at).subarray(0, order.size);
    const [word = ''] = bytes.toString('latin1', 0, 40).split(' ');
    misdeeds[word]?.(place.kind === 'file' ? place.strippedPath : '');
    return examineSpool(order, memory);
  });
}
