// The judgement of a comparison of two commits: what is over the limit, and when noise is not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, judgeTwice, order } from '../../../bench/against/judge.ts';

describe('the comparison of what a call costs', () => {
  it('a median of more than a tenth above the base is over the limit', () => {
    const cases = [
      { base: [100, 100, 100], now: [110, 110, 110], isOver: false },
      { base: [100, 100, 100], now: [111, 111, 111], isOver: true },
      { base: [100, 100, 100], now: [50, 50, 50], isOver: false },
      // One bad repetition decides nothing.
      { base: [100, 100, 100], now: [100, 300, 101], isOver: false },
      { base: [20, 100, 100], now: [120, 121, 90], isOver: true },
      { base: [100, 104], now: [112, 113], isOver: true },
      // Nothing measured is no proof.
      { base: [100], now: [], isOver: true },
    ];
    for (const { isOver, ...pair } of cases) assert.equal(judge(pair).isOver, isOver, JSON.stringify(pair));
  });

  it('says the medians, the change and the larger spread', () => {
    const { base, now, change, spread } = judge({ base: [90, 100, 110], now: [190, 200, 230] });
    assert.deepEqual({ base, now, change, spread }, { base: 100, now: 200, change: 1, spread: 0.1 });
  });

  it('only what is over the limit in both measurements counts', () => {
    const [good, bad] = [
      { base: [100], now: [101] },
      { base: [100], now: [150] },
    ];
    assert.equal(judgeTwice(good, undefined).isOver, false);
    assert.equal(judgeTwice(bad, undefined).isOver, true);
    assert.equal(judgeTwice(bad, good).isOver, false);
    assert.equal(judgeTwice(bad, bad).isOver, true);
    assert.equal(judgeTwice(good, bad).isOver, false);
  });

  it('both sides have the same turns, and neither is always first', () => {
    for (const round of [0, 1]) {
      assert.equal(order(round).filter((side) => side === 'base').length, 2);
      assert.equal(order(round).length, 4);
    }
    assert.notEqual(order(0)[0], order(1)[0]);
  });
});
