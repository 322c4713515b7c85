// What the doctor says about the bucket of backups.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeBucket } from '../../../src/commands/doctor/examine-bucket.ts';

describe('the bucket of backups, says the doctor,', () => {
  const lastAt = Date.UTC(2031, 4, 5);
  for (const [what, listed, hasKey, state, text] of [
    ['is well', { count: 2, lastAt }, true, 'good', /^has 2 finished backups, the last one of 2031-05-05T00:00/],
    ['is empty', { count: 0, lastAt: 0 }, true, 'doubtful', /^has 0 finished backups$/],
    ['is of no use without a key', { count: 1, lastAt }, false, 'bad', /BACKUP_KEY is not set/],
  ] as const) {
    it(what, () => {
      const finding = judgeBucket(listed, hasKey);
      assert.equal(finding.state, state);
      assert.match(finding.detail, text);
    });
  }
});
