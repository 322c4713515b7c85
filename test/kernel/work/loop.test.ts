// A loop: rounds follow each other with a pause, a failing round does not end it, and stopping waits for the running round only.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLoop } from '../../../src/kernel/work/loop.ts';

const long = 5000;
const refuse = (error: unknown) => assert.fail(String(error));

describe('a loop', () => {
  it('the first round of a loop runs at once, and the next after the pause', async () => {
    const third = Promise.withResolvers<void>();
    let rounds = 0;
    const round = async () => {
      rounds += 1;
      if (rounds === 3) third.resolve();
    };
    const loop = startLoop(1, round, refuse);
    assert.equal(rounds, 1);
    await third.promise;
    await loop.stop();
  });

  it('a loop pauses between two rounds', async () => {
    let rounds = 0;
    const loop = startLoop(long, async () => void rounds++, refuse);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(rounds, 1);
    await loop.stop();
    assert.equal(rounds, 1);
  });

  it('a round that throws is reported, and the next round runs', async () => {
    const second = Promise.withResolvers<void>();
    const reports: unknown[] = [];
    let rounds = 0;
    const round = async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('first');
      second.resolve();
    };
    const loop = startLoop(1, round, (error) => reports.push(error));
    await second.promise;
    await loop.stop();
    assert.deepEqual(reports.map(String), ['Error: first']);
  });

  it('a loop that is stopped during its pause ends without another round', async () => {
    let rounds = 0;
    const loop = startLoop(long, async () => void rounds++, refuse);
    await Promise.resolve();
    await loop.stop();
    assert.equal(rounds, 1);
  });

  it('a loop that is stopped during a round ends when the round has ended, and not before', async () => {
    const running = Promise.withResolvers<void>();
    let isStopped = false;
    const loop = startLoop(long, () => running.promise, refuse);
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isStopped, false);
    running.resolve();
    await stopped;
  });

  it('stopping a loop twice is harmless', async () => {
    const loop = startLoop(long, async () => undefined, refuse);
    await Promise.all([loop.stop(), loop.stop()]);
  });
});
