// A counter has one series for each combination of its labels, and starts one at its first addition.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSeriesCounter } from '../../../src/service/metrics/series-counter.ts';

describe('a counter', () => {
  it('without labels has one series', () => {
    const counter = createSeriesCounter([]);
    assert.deepEqual(counter.read(), []);
    counter.add({}, 0);
    counter.add({}, 2);
    assert.deepEqual(counter.read(), [{ labels: {}, value: 2 }]);
  });

  it('with one label has a series for each value', () => {
    const counter = createSeriesCounter(['outcome']);
    for (const outcome of ['sent', 'refused', 'sent']) counter.add({ outcome }, 1);
    assert.deepEqual(counter.read(), [
      { labels: { outcome: 'sent' }, value: 2 },
      { labels: { outcome: 'refused' }, value: 1 },
    ]);
  });

  it('with several labels has a series for each combination, in whatever order they are given', () => {
    const counter = createSeriesCounter(['route', 'code']);
    counter.add({ route: '/a', code: 'X' }, 1);
    counter.add({ code: 'X', route: '/a' }, 5);
    counter.add({ route: '/b', code: 'X' }, 1);
    assert.deepEqual(counter.read(), [
      { labels: { route: '/a', code: 'X' }, value: 6 },
      { labels: { route: '/b', code: 'X' }, value: 1 },
    ]);
  });

  it('keeps its labels and gives its numbers as they are at the reading', () => {
    const counter = createSeriesCounter(['outcome']);
    const labels = { outcome: 'sent' };
    counter.add(labels, 1);
    labels.outcome = 'changed';
    const before = counter.read();
    counter.add({ outcome: 'sent' }, 1);
    assert.deepEqual(before, [{ labels: { outcome: 'sent' }, value: 1 }]);
  });
});
