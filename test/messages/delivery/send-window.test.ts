// How many messages a provider is sent at once, and at which rate.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRate } from '../../../src/kernel/net/provider-url.ts';
import { leavesAt, mayLeave, noteLeaving } from '../../../src/messages/delivery/send-rate.ts';
import {
  firstWindow,
  noteAccepted,
  noteNotAccepted,
  patienceOf,
  type SendWindow,
} from '../../../src/messages/delivery/send-window.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const accept = (window: SendWindow, times: number, milliseconds: number, isFull = true, most?: number) =>
  Array.from({ length: times }).reduce<SendWindow>((each) => noteAccepted(each, milliseconds, isFull, most), window);

describe('the window of a provider', () => {
  it('doubles with each round trip while it is full and the latency stays', () => {
    const calm = accept(firstWindow, 1, 2000, false);
    const sizes = [32, 64, 128, 256].map((size) => accept({ ...calm, size }, size, 2001).size);
    assert.deepEqual(sizes, [64, 128, 256, 512]);
  });

  it('gives thousands a minute at a latency of two seconds within seven round trips', () => {
    let window = firstWindow;
    for (let trip = 0; trip < 7; trip++) window = accept(window, window.size, 2000);
    assert.ok((window.size / 2) * 60 > 10_000);
  });

  it('is bounded, also by what the sender can do, and does not grow while it is not full', () => {
    assert.equal(accept(firstWindow, 5000, 20).size, 512);
    assert.equal(accept(firstWindow, 500, 20, true, 32).size, 32);
    assert.equal(accept(firstWindow, 500, 20, false).size, 32);
  });

  it('shrinks when the provider slows down or fails, to 32 at the least', () => {
    const large = accept(firstWindow, 5000, 200);
    assert.ok(accept(large, 200, 3000).size < large.size);
    assert.equal(noteNotAccepted(large).size, 460);
    assert.equal(Array.from({ length: 99 }).reduce<SendWindow>(noteNotAccepted, large).size, 32);
  });

  it('knows when a send is late: four times as long as usual, a second at least', () => {
    assert.equal(patienceOf(firstWindow, 4000, 15_000), 2000);
    assert.equal(patienceOf({ ...firstWindow, latency: 50 }, 4000, 15_000), 1000);
    assert.equal(patienceOf({ ...firstWindow, latency: 2000 }, 4000, 15_000), 8000);
    assert.equal(patienceOf({ ...firstWindow, latency: 9000 }, 4000, 15_000), 15_000);
  });
});

describe('the rate of a provider', () => {
  it('is a positive number', () => {
    assert.deepEqual(['50', '0.5', '1.25'].map(parseRate), [50, 0.5, 1.25]);
    for (const text of ['', '0', '-1', '1e3', 'fast', '123456']) assert.equal(parseRate(text), undefined);
  });

  for (const rate of [0.5, 5, 50, 900]) {
    it(`of ${rate} is never exceeded by more than a tenth of a second allows`, () => {
      let takenUntil = 0;
      let left = 0;
      for (let now = noon; now < noon + 20_000; now += 7) {
        while (mayLeave(takenUntil, rate, now) > 0) {
          takenUntil = noteLeaving(takenUntil, rate, now);
          left += 1;
        }
        assert.ok(leavesAt(takenUntil, rate, now) > now);
        assert.ok(left <= (rate * (now - noon + 100)) / 1000 + 2);
      }
      assert.ok(left >= rate * 20 - 1);
    });
  }
});
