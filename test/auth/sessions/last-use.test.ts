// The last use of an account: what counts as recorded, when a sign-in is recorded, and when an account counts as unused for long.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLongUnused, isRecordDue, recordedUse, useToRecord } from '../../../src/auth/sessions/last-use.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';

describe('the last use of an account', () => {
  it('an account without a record was last used when it was created', () => {
    assert.equal(recordedUse({ seenAt: undefined, createdAt: 5 }), 5);
    assert.equal(recordedUse({ seenAt: 7, createdAt: 5 }), 7);
  });

  const due: [what: string, seenAt: number | undefined, expected: boolean][] = [
    ['less than a day after the record', noon - day + 1, false],
    ['a day after the record', noon - day, true],
    ['of an account of this day without a record', undefined, false],
  ];
  for (const [what, seenAt, expected] of due)
    it(`a sign-in ${what} is ${expected ? '' : 'not '}recorded`, () =>
      assert.equal(isRecordDue({ seenAt, createdAt: noon - 1 }, noon), expected));

  it('the use of sessions is recorded only if it is later than the record', () => {
    const record = { seenAt: noon, createdAt: 0 };
    assert.equal(useToRecord(record, noon - 1), undefined);
    assert.equal(useToRecord(record, noon), undefined);
    assert.equal(useToRecord(record, noon + 1), noon + 1);
  });

  it('an account is unused for long only after the whole time', () => {
    assert.equal(isLongUnused(noon - 5000, 5, noon), false);
    assert.equal(isLongUnused(noon - 5001, 5, noon), true);
  });
});
