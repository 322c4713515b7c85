// A system that gives no more threads: files are refused as unavailable, and nothing of them stays in the queue.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { createThreadPool } from '../../../src/adapters/examiner/thread-pool.ts';
import { asUserId } from '../../helpers/people/ids.ts';

class FakeThread extends EventEmitter {
  readonly sizes: number[] = [];
  unref(): void {}
  postMessage({ size }: { size: number }): void {
    this.sizes.push(size);
  }
  async terminate(): Promise<number> {
    return 0;
  }
}

describe('the threads that examine files', () => {
  function stage(threads: number) {
    const opened: FakeThread[] = [];
    let hasThreads = true;
    const policy = {
      threads,
      cpuMilliseconds: () => 1000,
      heapMebibytes: 64,
      waitMilliseconds: 1000,
      mostWaiting: 9,
      mostWaitingOfOne: 9,
    };
    const pool = createThreadPool(new URL('file:///none'), policy, () => {
      if (!hasThreads) throw new Error('EAGAIN');
      opened.push(new FakeThread());
      return opened.at(-1) as unknown as Worker;
    });
    const run = (size: number, userId = asUserId('user')) =>
      pool
        .run(userId, { place: { kind: 'segment', at: 0 }, size, question: undefined })
        .then((outcome) => `${outcome.kind} ${'error' in outcome ? outcome.error : ''}`);
    const give = (isGiven: boolean) => {
      hasThreads = isGiven;
    };
    return { opened, pool, run, give };
  }

  it('without any thread files are unavailable, and are not examined later', async () => {
    const { opened, pool, run, give } = stage(2);
    give(false);
    assert.equal(await run(1), 'unavailable Error: EAGAIN');
    assert.equal(pool.waiting, 0);
    give(true);
    const next = run(2);
    assert.deepEqual(opened[0]?.sizes, [2]);
    await pool.stop();
    opened[0]?.emit('exit', 1);
    assert.match(await next, /^unavailable/);
  });

  it('a thread that ends and cannot be replaced refuses what waits', async () => {
    const { opened, pool, run, give } = stage(1);
    const [first, second] = [run(1), run(2)];
    give(false);
    opened[0]?.emit('exit', 1);
    assert.match(await first, /^unavailable/);
    assert.equal(await second, 'unavailable Error: EAGAIN');
    await pool.stop();
  });

  it('a user whose files fill the queue delays the file of another by one file, and gives way in a full queue', async () => {
    const { opened, pool, run } = stage(1);
    const files = Array.from({ length: 10 }, (_, at) => run(at));
    const [mine, last] = [run(100, asUserId('another')), files.pop()];
    assert.match((await last) ?? '', /^unavailable/, 'the newest of who has most');
    opened[0]?.emit('message', { kind: 'ready', cpuMilliseconds: 0 });
    for (let done = 0; done < 10; done++)
      opened[0]?.emit('message', { kind: 'answer', answer: {}, cpuMilliseconds: 0 });
    assert.match(await mine, /^answer/);
    await Promise.all(files);
    const turn = opened[0]?.sizes.indexOf(100) ?? -1;
    assert.ok(turn >= 1 && turn <= 2, `its turn was ${turn}`);
    await pool.stop();
  });

  it('if only a second thread is missing, the first one takes what waits', async () => {
    const { opened, pool, run, give } = stage(2);
    const first = run(1);
    give(false);
    const second = run(2);
    opened[0]?.emit('message', { kind: 'ready', cpuMilliseconds: 0 });
    opened[0]?.emit('message', { kind: 'answer', answer: {}, cpuMilliseconds: 0 });
    assert.match(await first, /^answer/);
    assert.deepEqual(opened[0]?.sizes, [1, 2]);
    opened[0]?.emit('message', { kind: 'answer', answer: {}, cpuMilliseconds: 0 });
    assert.match(await second, /^answer/);
    await pool.stop();
  });
});
