// The rule by which a node follows the clock of the database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { correctOffset } from '../../../src/store/postgres/database-clock.ts';

describe('the clock of the database', () => {
  it('an offset that agrees with the answer stays, any other moves as little as it must', () => {
    const reading = { database: 1000, before: 100, after: 104 };
    const cases = [
      [898, 898],
      [896, 896],
      [900, 900],
      [950, 900],
      [0, 896],
    ] as const;
    for (const [offset, corrected] of cases) assert.equal(correctOffset(offset, reading), corrected);
  });

  it('however slow the answers are, a node is off by no more than its fastest answer took, and one that is right stays right', () => {
    const way = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.array(fc.tuple(way, way), { minLength: 1 }),
        (skew, answers) => {
          const right = 5_000_000;
          const ends = [right + skew, right].map((begin) =>
            answers.reduce((offset, [there, back], round) => {
              const before = round * 30_000;
              const database = right + before + there;
              return correctOffset(offset, { database, before, after: before + there + back });
            }, begin),
          );
          const fastest = Math.min(...answers.map(([there, back]) => there + back));
          assert.ok(Math.abs((ends[0] ?? 0) - right) <= fastest);
          assert.equal(ends[1], right);
        },
      ),
    );
  });
});
