// Work on a stream with limited concurrency: how many at once, which order, and what the first failure ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inParallel, mapInOrder } from '../../../src/kernel/work/in-parallel.ts';
import { seed } from '../../helpers/faults/rounds.ts';

async function* numbers(count: number, onTake: (item: number) => void = () => undefined): AsyncIterable<number> {
  for (let item = 0; item < count; item++) {
    onTake(item);
    yield item;
  }
}

/** Ends after some ticks, a different number for each item. */
async function take(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
}

/** Counts how many pieces of work run at the same time. */
function createGauge() {
  const gauge = { now: 0, most: 0 };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    gauge.now += 1;
    gauge.most = Math.max(gauge.most, gauge.now);
    try {
      return await work();
    } finally {
      gauge.now -= 1;
    }
  };
  return { gauge, within };
}

const shapes = fc.tuple(
  fc.nat(12),
  fc.integer({ min: 1, max: 5 }),
  fc.array(fc.nat(8), { minLength: 12, maxLength: 12 }),
);

describe('work on a stream in parallel', () => {
  it('every item is worked on once, by as many at once as allowed and no more', async () => {
    const property = fc.asyncProperty(shapes, async ([count, most, ticks]) => {
      const { gauge, within } = createGauge();
      const done: number[] = [];
      await inParallel(numbers(count), most, (item) =>
        within(async () => {
          await take(3 + (ticks[item] ?? 0));
          done.push(item);
        }),
      );
      assert.deepEqual(
        done.sort((a, b) => a - b),
        Array.from({ length: count }, (_, index) => index),
      );
      assert.equal(gauge.most, Math.min(count, most));
    });
    await fc.assert(property, { seed, numRuns: 60 });
  });

  it('the first failure is thrown, and no further item is begun', async () => {
    const begun: number[] = [];
    const working = inParallel(numbers(100), 2, async (item) => {
      begun.push(item);
      await take(3);
      if (item === 3) throw new Error('item 3');
    });
    await assert.rejects(working, /item 3/);
    const atFailure = begun.length;
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(begun.length <= atFailure + 1 && begun.length < 10, `${begun}`);
  });

  it('a failure of the stream itself is thrown', async () => {
    const failing = numbers(3, (item) => {
      if (item === 2) throw new Error('no more');
    });
    await assert.rejects(
      inParallel(failing, 2, async () => undefined),
      /no more/,
    );
  });
});

describe('results in the order of the stream', () => {
  it('results come in the order of the items however long each takes, with no more at once than allowed', async () => {
    const property = fc.asyncProperty(shapes, async ([count, most, ticks]) => {
      const { gauge, within } = createGauge();
      const results: number[] = [];
      const mapped = mapInOrder(numbers(count), most, (item) =>
        within(async () => {
          await take(ticks[item] ?? 0);
          return item * 2;
        }),
      );
      for await (const result of mapped) results.push(result);
      assert.deepEqual(
        results,
        Array.from({ length: count }, (_, index) => index * 2),
      );
      assert.ok(gauge.most <= most, `${gauge.most} at once instead of ${most}`);
    });
    await fc.assert(property, { seed, numRuns: 60 });
  });

  it('items are taken only as results are read', async () => {
    let taken = 0;
    const mapped = mapInOrder(
      numbers(100, () => (taken += 1)),
      4,
      async (item) => item,
    )[Symbol.asyncIterator]();
    await mapped.next();
    assert.equal(taken, 4);
    await mapped.next();
    assert.equal(taken, 5);
  });

  it('a failure is thrown in the place of its result, also if later work failed before it', async () => {
    const results: number[] = [];
    const read = async () => {
      const mapped = mapInOrder(numbers(5), 3, async (item) => {
        await take(item === 1 ? 9 : 0);
        if (item === 1 || item === 2) throw new Error(`item ${item}`);
        return item;
      });
      for await (const result of mapped) results.push(result);
    };
    await assert.rejects(read, /item 1/);
    assert.deepEqual(results, [0]);
  });
});
