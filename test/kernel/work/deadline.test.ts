// A wait with a time limit and an abort signal: which of the three ends it, and that nothing stays behind.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { waitFor } from '../../../src/kernel/work/deadline.ts';

const late = () => new Error('late');
const never = new Promise<never>(() => undefined);
const long = 5000;

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('a wait with a time limit', () => {
  it('a wait returns the result of its work', async () => {
    assert.equal(await waitFor(Promise.resolve(7), { milliseconds: long, late }), 7);
  });

  it('a wait throws the error of its work', async () => {
    await assert.rejects(waitFor(Promise.reject(new Error('broken')), { milliseconds: long, late }), /broken/);
  });

  it('a wait throws its own error when the time is over, and makes that error only then', async () => {
    await assert.rejects(waitFor(never, { milliseconds: 1, late }), /late/);
    await waitFor(Promise.resolve(), { milliseconds: long, late: () => assert.fail('not late') });
  });

  it('a wait throws the reason of the signal when that is aborted', async () => {
    const controller = new AbortController();
    const waiting = waitFor(never, { milliseconds: long, late, signal: controller.signal });
    controller.abort(new Error('gone'));
    await assert.rejects(waiting, /gone/);
  });

  it('a wait with a signal that is aborted already throws its reason at once', async () => {
    const signal = AbortSignal.abort(new Error('gone before'));
    await assert.rejects(waitFor(never, { milliseconds: long, late, signal }), /gone before/);
  });

  for (const [how, work, isAborted] of [
    ['that its work ended', () => Promise.resolve(), false],
    ['that failed', () => Promise.reject(new Error('broken')), false],
    ['that was aborted', () => never, true],
  ] as const) {
    it(`a wait ${how} leaves no timer and no listener behind`, async () => {
      const before = timers();
      const controller = new AbortController();
      const { signal } = controller;
      const waiting = waitFor(work(), { milliseconds: long, late, signal }).catch(() => undefined);
      assert.equal(timers(), before + 1);
      assert.equal(getEventListeners(signal, 'abort').length, 1);
      if (isAborted) controller.abort();
      await waiting;
      assert.equal(timers(), before);
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });
  }
});
