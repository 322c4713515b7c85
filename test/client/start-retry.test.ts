// When the React components try again: after a pause that grows, not before the service asks for it, and at once when the device is online.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startRetry } from '../../react/src/start-retry.ts';

function start(t: TestContext, failures: number, retryAfterSeconds?: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 1);
  let count = 0;
  const stop = startRetry(failures, retryAfterSeconds, () => {
    count += 1;
  });
  const at = (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    return count;
  };
  return { at, stop };
}

describe('another try of the React components', () => {
  for (const [failures, pause] of [
    [1, 2000],
    [2, 4000],
    [5, 32_000],
    [6, 60_000],
    [5000, 60_000],
  ] as const)
    it(`comes after at most ${pause / 1000} seconds after the failure ${failures}, once`, (t) => {
      const { at } = start(t, failures);
      assert.equal(at(pause - 1), 0);
      assert.equal(at(1), 1);
      assert.equal(at(600_000), 1);
    });

  it('comes after the time that the service asked for', (t) => {
    const { at } = start(t, 1, 30);
    assert.equal(at(31_999), 0);
    assert.equal(at(1), 1);
  });

  it('does not come when it is stopped', (t) => {
    const { at, stop } = start(t, 1);
    stop();
    assert.equal(at(600_000), 0);
  });

  it('comes when the device is online again, once', (t) => {
    const target = new EventTarget();
    for (const name of ['addEventListener', 'removeEventListener'] as const) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { configurable: true, value: target[name].bind(target) });
      t.after(() =>
        before === undefined
          ? Reflect.deleteProperty(globalThis, name)
          : Object.defineProperty(globalThis, name, before),
      );
    }
    const { at } = start(t, 1);
    target.dispatchEvent(new Event('online'));
    target.dispatchEvent(new Event('online'));
    assert.equal(at(0), 1);
    assert.equal(at(600_000), 1);
  });
});
