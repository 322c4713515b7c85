// The audit event of cleared limits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clearingEvents, type LimitClearing } from '../../src/abuse/limit-store.ts';
import { asUserId } from '../helpers/people/ids.ts';
import { noon } from '../helpers/store/fixtures.ts';

describe('the event of cleared limits', () => {
  const clearing: LimitClearing = { ids: ['a', 'b'], detail: { why: 'asked' }, now: noon };
  const event = { kind: 'limits.cleared', detail: { why: 'asked' }, now: noon };
  const cases: [what: string, changes: Partial<LimitClearing>, expected: object][] = [
    ['says what was cleared and names no user', {}, event],
    ['names the user where there is one', { userId: asUserId('ann') }, { ...event, userId: 'ann' }],
    ['names the country that is served again', { kind: 'sms.resumed' }, { ...event, kind: 'sms.resumed' }],
  ];
  for (const [what, changes, expected] of cases) {
    it(`the event of cleared limits ${what}`, () => {
      assert.deepEqual(clearingEvents({ ...clearing, ...changes }, 1), [expected]);
      assert.deepEqual(clearingEvents({ ...clearing, ...changes }, 0), [], 'there was nothing to clear');
    });
  }
});
