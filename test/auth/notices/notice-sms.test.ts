// The rule of a notice by text message: three a day for a number, under the spending brake, and without a share in unused codes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayCounter, prefixId, usageCounterId } from '../../../src/abuse/sms-brake.ts';
import { judgeNoticeSms, type NoticeSmsCheck, noticeSmsIds } from '../../../src/auth/notices/notice-sms.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { phoneTopics, type SmsTopic } from '../../../src/messages/message-kinds.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { brakePolicy, day, noon } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+4915112345678');
const id = `notices:${sha256(phone)}`;
const idOf = (topic: SmsTopic) => `${topic}:${sha256(phone)}`;
const limits = { perDay: 5, perCountryPerDay: 4, perPrefix: [{ count: 3, windowSeconds: 3600 }] };
const policy = { ...brakePolicy, ...limits, unused: { share: 0.8, least: 50 } };
const check: NoticeSmsCheck = {
  phone,
  country: 'DE',
  policy,
  topic: 'email-bound',
  messageId: 'third',
  createdAt: noon,
  now: noon,
};
const sent = (...ago: number[]) => ago.map((milliseconds, index) => [noon - milliseconds, `notice ${index}`]);

const scheduled: Partial<NoticeSmsCheck> = { topic: 'phone-change-scheduled' };

/** What strangers can bring about with codes to other numbers. */
const brakes: Record<string, unknown> = {
  [dayCounter(noon)]: 5,
  [dayCounter(noon, 'DE')]: 4,
  [prefixId(phone)]: [noon - 2, noon - 1, noon],
  [usageCounterId('DE')]: [[Math.floor(noon / 600_000), 200, 0, 200]],
};

describe('a notice by text message', () => {
  const brakeCases = phoneTopics.flatMap((topic) =>
    Object.entries(brakes).map(
      ([id, value]) => [`about the number (${topic}), with ${id} used up`, { topic }, { [id]: value }, true] as const,
    ),
  );
  const cases: (readonly [
    what: string,
    Partial<NoticeSmsCheck>,
    counters: Record<string, unknown>,
    isSent: boolean,
  ])[] = [
    ['the first', {}, {}, true],
    ['the third in a day', {}, { [id]: sent(2, 1) }, true],
    ['the fourth in a day', {}, { [id]: sent(3, 2, 1) }, false],
    ['the first about the number, after three others', { topic: 'phone-changed' }, { [id]: sent(3, 2, 1) }, true],
    ['the fourth about the number', { topic: 'phone-changed' }, { [idOf('phone-changed')]: sent(3, 2, 1) }, false],
    ['the first other one, after three about the number', {}, { [idOf('phone-changed')]: sent(3, 2, 1) }, true],
    ['the fourth about a scheduled change', scheduled, { [idOf('phone-change-scheduled')]: sent(3, 2, 1) }, false],
    [
      'about a scheduled change, after three about others',
      scheduled,
      { [id]: sent(3), [idOf('phone-changed')]: sent(3, 2, 1), [idOf('phone-change-cancelled')]: sent(3, 2, 1) },
      true,
    ],
    ['a day after the first of three, but sent late', { now: noon + day - 1 }, { [id]: sent(day, 2, 1) }, true],
    ['the fourth, when the first was a day ago', {}, { [id]: sent(day, 2, 1) }, true],
    ['the fourth, when the first was almost a day ago', {}, { [id]: sent(day - 1, 2, 1) }, false],
    ['a third one again', {}, { [id]: [[noon - 1, 'third'], ...sent(3, 2)] }, true],
    ['with the messages of the day used up', {}, { [dayCounter(noon)]: 5 }, false],
    ['with the messages of the country used up', {}, { [dayCounter(noon, 'DE')]: 4 }, false],
    ['with many unused codes in the country', {}, { [usageCounterId('DE')]: brakes[usageCounterId('DE')] }, false],
    ['with many to similar numbers', {}, { [prefixId(phone)]: [noon - 2, noon - 1, noon] }, false],
    ...brakeCases,
    ['to a country that is not served', { policy: { ...policy, countries: ['FR'] } }, {}, false],
    [
      'about the number, to a country that is not served',
      { topic: 'phone-changed', policy: { ...policy, countries: ['FR'] } },
      {},
      false,
    ],
    ['to a country that is served', { policy: { ...policy, countries: ['FR', 'DE'] } }, {}, true],
  ];
  for (const [what, changes, counters, isSent] of cases) {
    it(`a notice by text message, ${what}, is ${isSent ? 'sent' : 'not sent'}`, () => {
      assert.equal(judgeNoticeSms({ ...check, ...changes }, (name) => counters[name]) !== undefined, isSent);
    });
  }

  it('a notice by text message counts for its number, the day, the country and the prefix, and not as an unused code', () => {
    const counts = judgeNoticeSms(check, () => undefined) ?? assert.fail();
    const expected = [id, dayCounter(noon), dayCounter(noon, 'DE'), prefixId(phone)];
    assert.deepEqual(
      counts.map((count) => count.id),
      expected,
    );
    assert.deepEqual(counts[0], { id, value: [[noon, 'third']], endsAt: noon + day });
    assert.deepEqual(noticeSmsIds(check), [...expected, usageCounterId('DE')]);
  });

  it('a second try of a message counts nothing', () => {
    assert.deepEqual(
      judgeNoticeSms(check, (name) => (name === id ? [[noon - 5, 'third']] : undefined)),
      [],
    );
  });
});
