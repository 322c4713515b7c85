// The arithmetic of a quota: it holds for any order of uploads and deletions, and never goes below nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addToUsage, fitsQuota, takeFromUsage } from '../../src/files/quota.ts';
import { seed } from '../helpers/faults/rounds.ts';

const amount = fc.integer({ min: 0, max: 50 });
const usage = fc.record({ bytes: amount, files: fc.integer({ min: 0, max: 6 }) }, { noNullPrototype: true });
const uploads = fc.array(fc.record({ bytes: amount }), { maxLength: 4 });

describe('the quota of a user', () => {
  it('one more file fits exactly if all bytes and all files together are within the quota', () => {
    fc.assert(
      fc.property(usage, uploads, amount, usage, (used, reserved, bytes, quota) => {
        let [allBytes, allFiles] = [used.bytes + bytes, used.files + 1];
        for (const upload of reserved) {
          allBytes += upload.bytes;
          allFiles += 1;
        }
        const fits = !(allBytes > quota.bytes) && !(allFiles > quota.files);
        assert.equal(fitsQuota(used, reserved, bytes, quota), fits);
      }),
      { numRuns: 600, seed },
    );
  });

  it('uploads that each fitted never exceed the quota together, in any order and number', () => {
    fc.assert(
      fc.property(usage, fc.array(amount, { maxLength: 12 }), (quota, sizes) => {
        let used = { bytes: 0, files: 0 };
        for (const size of sizes) if (fitsQuota(used, [], size, quota)) used = addToUsage(used, size);
        assert.ok(used.bytes <= quota.bytes && used.files <= quota.files);
      }),
      { numRuns: 200, seed },
    );
  });

  it('a deletion gives back what its upload took, and never more than there is', () => {
    fc.assert(
      fc.property(usage, amount, (used, bytes) => {
        assert.deepEqual(takeFromUsage(addToUsage(used, bytes), bytes), used);
        const rest = takeFromUsage(used, bytes);
        assert.deepEqual(rest, {
          bytes: used.bytes > bytes ? used.bytes - bytes : 0,
          files: used.files > 0 ? used.files - 1 : 0,
        });
      }),
      { numRuns: 200, seed },
    );
  });
});
