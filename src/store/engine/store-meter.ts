// Measures batches of calls in shared memory, so that a reader on another thread does not interrupt the store.

/** Upper bounds of the buckets: the duration of a batch, including its commit, and its number of calls. */
export const batchBuckets = {
  seconds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  calls: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
} as const;

/** The layout: count, sum of seconds, sum of calls, then the buckets of both. */
const head = 3;
const size = head + batchBuckets.seconds.length + batchBuckets.calls.length;

export type StoreMeter = Float64Array<SharedArrayBuffer>;

export function createStoreMeter(): StoreMeter {
  return new Float64Array(new SharedArrayBuffer(size * Float64Array.BYTES_PER_ELEMENT));
}

export function meterBatch(meter: StoreMeter, seconds: number, calls: number): void {
  add(meter, 0, 1);
  add(meter, 1, seconds);
  add(meter, 2, calls);
  fill(meter, head, batchBuckets.seconds, seconds);
  fill(meter, head + batchBuckets.seconds.length, batchBuckets.calls, calls);
}

export function readStoreMeter(meter: StoreMeter) {
  const [count = 0, seconds = 0, calls = 0] = meter;
  const border = head + batchBuckets.seconds.length;
  return {
    seconds: { count, sum: seconds, counts: [...meter.subarray(head, border)] },
    calls: { count, sum: calls, counts: [...meter.subarray(border)] },
  };
}

function fill(meter: StoreMeter, first: number, buckets: readonly number[], value: number): void {
  for (let index = buckets.length - 1; index >= 0 && value <= (buckets[index] ?? 0); index--)
    add(meter, first + index, 1);
}

function add(meter: StoreMeter, index: number, by: number): void {
  meter[index] = (meter[index] ?? 0) + by;
}
