// How many blobs without a record are too many to be the rest of interrupted uploads.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areTooMany, sweepRules } from '../../../src/files/sweeps/blob-sweep.ts';

describe('the number of orphan blobs', () => {
  for (const [orphans, blobs, expected] of [
    [0, 0, false],
    [20, 20, false],
    [21, 21, true],
    [21, 2099, true],
    [21, 2100, false],
    [21, 1_000_000, false],
    [100, 10_000, false],
    [101, 10_000, true],
    [10_000, 1_000_000, false],
    [10_001, 1_000_000, true],
  ] as const) {
    it(`${orphans} orphans among ${blobs} blobs are ${expected ? 'too many' : 'few'}`, () => {
      assert.equal(areTooMany(orphans, blobs), expected);
    });
  }

  it('an orphan is watched for a day, over several passes, under a lease of five minutes', () => {
    assert.deepEqual(sweepRules, {
      apartSeconds: 24 * 3600,
      restSeconds: 6 * 3600,
      leaseSeconds: 5 * 60,
      few: 20,
      share: 0.01,
    });
  });
});
