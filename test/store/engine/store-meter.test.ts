// The meter of batches: counts, sums and cumulative buckets, readable from another thread.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchBuckets, createStoreMeter, meterBatch, readStoreMeter } from '../../../src/store/engine/store-meter.ts';

describe('the meter of batches', () => {
  it('starts with nothing, in shared memory', () => {
    const meter = createStoreMeter();
    assert.ok(meter.buffer instanceof SharedArrayBuffer);
    const { seconds, calls } = readStoreMeter(meter);
    assert.deepEqual(seconds, { count: 0, sum: 0, counts: batchBuckets.seconds.map(() => 0) });
    assert.deepEqual(calls, { count: 0, sum: 0, counts: batchBuckets.calls.map(() => 0) });
  });

  it('adds each batch to every bucket whose bound it does not exceed', () => {
    const meter = createStoreMeter();
    for (const [seconds, calls] of [
      [0.0005, 1],
      [0.0006, 2],
      [3, 1000],
      [0.1, 5],
    ] as const)
      meterBatch(meter, seconds, calls);
    const read = readStoreMeter(meter);
    assert.equal(read.seconds.count, 4);
    assert.ok(Math.abs(read.seconds.sum - 3.1011) < 1e-9);
    assert.deepEqual([read.calls.count, read.calls.sum], [4, 1008]);
    for (const [index, bound] of batchBuckets.seconds.entries())
      assert.equal(
        read.seconds.counts[index],
        [0.0005, 0.0006, 3, 0.1].filter((value) => value <= bound).length,
        `${bound}`,
      );
    for (const [index, bound] of batchBuckets.calls.entries())
      assert.equal(read.calls.counts[index], [1, 2, 1000, 5].filter((value) => value <= bound).length, `${bound}`);
  });

  it('the bounds of the buckets rise', () => {
    for (const bounds of [batchBuckets.seconds, batchBuckets.calls] as const)
      assert.deepEqual(
        [...bounds],
        [...new Set(bounds)].sort((a, b) => a - b),
      );
  });
});
