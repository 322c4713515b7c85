// Measures batches of calls where they run; the cells are shared memory, so that reading them costs the other thread nothing.
import { storeHistograms } from '../../kernel/metrics.ts';

const { store_batch_seconds: bySeconds, store_batch_calls: byCalls } = storeHistograms;

/** count, sum of seconds, sum of calls, then the buckets of both. */
const head = 3;
const size = head + bySeconds.buckets.length + byCalls.buckets.length;

export type StoreMeter = Float64Array<SharedArrayBuffer>;

export function createStoreMeter(): StoreMeter {
  return new Float64Array(new SharedArrayBuffer(size * Float64Array.BYTES_PER_ELEMENT));
}

export function meterBatch(meter: StoreMeter, seconds: number, calls: number): void {
  add(meter, 0, 1);
  add(meter, 1, seconds);
  add(meter, 2, calls);
  fill(meter, head, bySeconds.buckets, seconds);
  fill(meter, head + bySeconds.buckets.length, byCalls.buckets, calls);
}

export function readStoreMeter(meter: StoreMeter) {
  const [count = 0, seconds = 0, calls = 0] = meter;
  const border = head + bySeconds.buckets.length;
  return {
    store_batch_seconds: { count, sum: seconds, counts: [...meter.subarray(head, border)] },
    store_batch_calls: { count, sum: calls, counts: [...meter.subarray(border)] },
  };
}

function fill(meter: StoreMeter, first: number, buckets: readonly number[], value: number): void {
  for (let index = buckets.length - 1; index >= 0 && value <= (buckets[index] ?? 0); index--)
    add(meter, first + index, 1);
}

function add(meter: StoreMeter, index: number, by: number): void {
  meter[index] = (meter[index] ?? 0) + by;
}
