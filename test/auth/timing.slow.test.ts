// The short form of the timing benchmark: it works, detects a planted leak, and finds no gross difference between known and unknown.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { areaUnderCurve, median } from '../../bench/statistics.ts';
import { measureTiming } from '../../bench/timing.ts';

it('the timing statistics separate two classes only when they differ', () => {
  const even = Array.from({ length: 1000 }, (_, index) => index % 100);
  assert.equal(areaUnderCurve(even, even), 0.5);
  assert.equal(
    areaUnderCurve(
      even,
      even.map((value) => value + 1000),
    ),
    1,
  );
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
});

// The bounds are wide enough for a busy machine. `npm run bench:timing` has the numbers that count.
it('known and unknown e-mail addresses show no gross difference in time, and a planted leak is detected', async () => {
  const comparisons = await measureTiming(120);
  const aucOf = (name: string) => comparisons.find((comparison) => comparison.name === name)?.auc ?? Number.NaN;
  for (const { name, auc } of comparisons.filter(({ name }) => !name.startsWith('control'))) {
    assert.ok(Math.abs(auc - 0.5) < 0.2, `${name}: AUC ${auc}`);
  }
  assert.ok(aucOf('control: with a planted 100 µs') > aucOf('control: a class against itself'));
});
