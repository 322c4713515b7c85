// The limit on scheduling a number: three in 24 hours for an account.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countSchedule,
  findScheduleBlock,
  scheduleFailure,
  schedulesId,
} from '../../../src/auth/identity/schedule-limit.ts';
import { judgeNoticeSms } from '../../../src/auth/notices/notice-sms.ts';
import { asPhone, asUserId } from '../../helpers/people/ids.ts';
import { brakePolicy, day, hour, noon } from '../../helpers/store/fixtures.ts';

describe('the limit on scheduling a number', () => {
  const cases: [what: string, hits: number[] | undefined, retryAfterSeconds: number | undefined][] = [
    ['the first', undefined, undefined],
    ['the third in a day', [noon - 2, noon - 1], undefined],
    ['the fourth in a day', [noon - hour, noon - 2, noon - 1], 23 * 3600],
    ['the fourth, when the first was a day ago', [noon - day, noon - 2, noon - 1], undefined],
  ];
  for (const [what, hits, expected] of cases) {
    it(`scheduling ${what} ${expected === undefined ? 'is allowed' : 'must wait'}`, () => {
      const read = (id: string) => (id === schedulesId(asUserId('ann')) ? hits : undefined);
      assert.equal(findScheduleBlock(asUserId('ann'), read, noon)?.retryAfterSeconds, expected);
      assert.equal(findScheduleBlock(asUserId('bob'), read, noon), undefined, 'another account');
    });
  }

  it('a scheduled number is counted for its account, and a refusal says when the next one is allowed', () => {
    const count = countSchedule(asUserId('ann'), () => [noon - day, noon - 1], noon);
    assert.deepEqual(count, { id: schedulesId(asUserId('ann')), value: [noon - 1, noon], endsAt: noon + day });
    const { code, detail } = scheduleFailure({ rule: { count: 3, windowSeconds: 86_400 }, retryAfterSeconds: 7 });
    const policy = { name: 'phone-changes', quota: 3, windowSeconds: 86_400, resetSeconds: 7 };
    assert.deepEqual([code, detail], ['RATE_LIMITED', { retryAfterSeconds: 7, policy }]);
  });

  it('each number that the limit lets an account schedule is announced by SMS, however late each message is sent', () => {
    const counters = new Map<string, unknown>();
    const read = (id: string) => counters.get(id);
    let scheduled = 0;
    for (let at = noon; at < noon + 4 * day; at += 5 * hour) {
      if (findScheduleBlock(asUserId('ann'), read, at) !== undefined) continue;
      const { id, value } = countSchedule(asUserId('ann'), read, at);
      counters.set(id, value);
      scheduled++;
      const about = {
        phone: asPhone('+4915112345678'),
        country: 'DE',
        policy: brakePolicy,
        topic: 'phone-change-scheduled',
      } as const;
      const now = at + (scheduled % 3) * 11 * hour;
      const counts = judgeNoticeSms({ ...about, messageId: `${at}`, createdAt: at, now }, read);
      for (const count of counts ?? assert.fail('not told')) counters.set(count.id, count.value);
    }
    assert.equal(scheduled, 12);
  });
});
