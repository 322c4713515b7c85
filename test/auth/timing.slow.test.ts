// The short form of the timing benchmark: it works, detects a planted leak, and finds no gross difference between known and unknown, nor between bad links.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { areaUnderCurve, type Comparison, median, spread } from '../../bench/statistics.ts';
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
  assert.equal(spread(even), 50);
  assert.equal(spread([7, 1, 100, 3, 5]), 51.5);
});

// The bound is wide enough for a busy machine. `npm run bench:timing` has the numbers that count.
const isGross = ({ auc }: Comparison) => Math.abs(auc - 0.5) >= 0.2;

/** Every call of it asks a new service. A planted leak must be found each time, or a comparison without a difference means nothing. */
async function findGross(): Promise<Comparison[]> {
  const comparisons = await measureTiming(120, 40);
  const control = (what: string) =>
    comparisons.find(({ name }) => name === `control: ${what}`) ?? assert.fail(`no control ${what}`);
  assert.ok(control('with a planted 100 µs').auc > control('a class against itself').auc);
  assert.ok(isGross(control('with a planted gross delay')), 'the planted delay is not found');
  return comparisons.filter(({ name }) => !name.startsWith('control')).filter(isGross);
}

/** A leak shows every time and in the same direction. A slow moment of the machine does not come back for the same class. */
const isSame = (one: Comparison) => (other: Comparison) => one.name === other.name && one.auc > 0.5 === other.auc > 0.5;

it('known and unknown e-mail addresses and numbers, and bad links to files, show no gross difference in time, and a planted leak is detected', async () => {
  let suspects = await findGross();
  for (let repeated = 0; repeated < 2 && suspects.length > 0; repeated++) {
    const again = await findGross();
    suspects = again.filter((comparison) => suspects.some(isSame(comparison)));
  }
  assert.deepEqual(
    suspects.map(({ name, auc }) => `${name}: AUC ${auc}`),
    [],
    'a difference in each of three measurements',
  );
});
