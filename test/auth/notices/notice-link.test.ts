// The rules of the link “this was not me”: when it works, how long it is kept, and what is written down.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chooseOutdated,
  chooseOutdatedByReturn,
  judgeNoticeLink,
  type NoticeLinkRecord,
  noticeLinkTimes,
  notMeEnd,
  notMeEvents,
} from '../../../src/auth/notices/notice-link.ts';
import type { PhoneNumber } from '../../../src/kernel/recipient.ts';
import { asPhone, asUserId } from '../../helpers/people/ids.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';

describe('the link of a notice', () => {
  const link: NoticeLinkRecord = {
    state: 'issued',
    target: { kind: 'not-me' },
    createdAt: noon - day,
    expiresAt: noon,
  };
  const cases: [what: string, NoticeLinkRecord | undefined, hasUser: boolean, now: number, expected: string][] = [
    ['before its end', link, true, noon - 1, 'valid'],
    ['at its end', link, true, noon, 'expired'],
    ['that is unknown', undefined, true, noon - 1, 'lost'],
    ['that was used', { ...link, state: 'consumed' }, true, noon - 1, 'lost'],
    ['that was used, after its end', { ...link, state: 'consumed' }, true, noon, 'lost'],
    ['in a state of a later version', { ...link, state: undefined }, true, noon - 1, 'lost'],
    ['for a purpose of a later version', { ...link, target: undefined }, true, noon - 1, 'lost'],
    ['of a deleted user', link, false, noon - 1, 'lost'],
    ['of a deleted user, after its end', link, false, noon, 'lost'],
  ];
  for (const [what, record, hasUser, now, expected] of cases)
    it(`the link of a notice ${what} is ${expected}`, () =>
      assert.equal(judgeNoticeLink(record, hasUser, now), expected));

  const undo = (createdAt: number, state: NoticeLinkRecord['state'] = 'issued'): NoticeLinkRecord => ({
    ...link,
    state,
    createdAt,
    target: { kind: 'undo-phone', phone: asPhone('+491') },
  });

  it('the link of a changed number outdates the open links of the same and of later changes, and no other link', () => {
    const [before, same, after] = [undo(noon - 1), undo(noon), undo(noon + 1)];
    const others = [
      undo(noon + 1, 'consumed'),
      { ...undo(noon + 1), state: undefined },
      { ...link, createdAt: noon + 1 },
    ];
    assert.deepEqual(chooseOutdated(undo(noon), [before, same, after, ...others]), [same, after]);
    assert.deepEqual(chooseOutdated({ ...link, createdAt: noon }, [before, same, after]), []);
  });

  describe('a change back', () => {
    const restores = (phone: PhoneNumber | undefined, createdAt: number, changes: Partial<NoticeLinkRecord> = {}) => ({
      ...link,
      target: { kind: 'undo-phone' as const, phone },
      createdAt,
      expiresAt: createdAt + day,
      ...changes,
    });
    const [hers, his, none] = [
      restores(asPhone('+491'), noon),
      restores(asPhone('+331'), noon + 1),
      restores(undefined, noon + 2),
    ];
    const earlier = restores(asPhone('+441'), noon - 1);
    const others = [
      restores(asPhone('+331'), noon + 1, { state: 'consumed' }),
      restores(asPhone('+331'), noon + 1, { target: undefined }),
      restores(asPhone('+331'), noon + 1, { target: { kind: 'cancel-phone' } }),
      restores(asPhone('+331'), noon + 1, { expiresAt: noon + 3 }),
    ];
    const choices: [
      what: string,
      phone: PhoneNumber,
      links: NoticeLinkRecord[],
      expected: NoticeLinkRecord[] | undefined,
    ][] = [
      [
        'to the number of an open link outdates the later ones',
        asPhone('+491'),
        [earlier, hers, his, none, ...others],
        [his, none],
      ],
      [
        'to the number of two open links counts from the first',
        asPhone('+491'),
        [hers, his, restores(asPhone('+491'), noon + 2)],
        [his],
      ],
      [
        'outdates the links of the same moment',
        asPhone('+491'),
        [hers, restores(asPhone('+331'), noon)],
        [restores(asPhone('+331'), noon)],
      ],
      ['is one even if it outdates nothing', asPhone('+491'), [hers], []],
      ['to a number of no link is none', asPhone('+492'), [hers, his], undefined],
      ['to the number of a used link is none', asPhone('+491'), [{ ...hers, state: 'consumed' }, his], undefined],
      ['to the number of an expired link is none', asPhone('+491'), [{ ...hers, expiresAt: noon + 3 }, his], undefined],
    ];
    for (const [what, phone, links, expected] of choices)
      it(`a change back ${what}`, () => assert.deepEqual(chooseOutdatedByReturn(phone, links, noon + 3), expected));
  });

  it('the link of a notice ends after 72 hours, and is known as expired for another day', () => {
    assert.deepEqual(noticeLinkTimes(noon), { expiresAt: noon + 3 * day, keptUntil: noon + 4 * day });
  });

  it('the link of a notice ends no earlier than what it cancels takes effect', () => {
    assert.deepEqual(noticeLinkTimes(noon, noon + day), noticeLinkTimes(noon));
    const until = noon + 30 * day + 1;
    assert.deepEqual(noticeLinkTimes(noon, until), { expiresAt: until, keptUntil: until + day });
  });

  it('the link of a notice is written down with the number of sessions that it ended', () => {
    const eventsOf = (sessions: number, isUsedUp: boolean) =>
      notMeEvents({ userId: asUserId('ann'), sessions, isUsedUp, now: noon }).map(({ now, ...event }) => event);
    const event = (sessions: number) => ({ kind: 'user.not-me', userId: 'ann', detail: { sessions } });
    assert.deepEqual(eventsOf(3, true), [event(3)]);
    assert.deepEqual(eventsOf(0, true), [event(0)]);
    assert.deepEqual(eventsOf(3, false), [event(3)]);
    assert.deepEqual(eventsOf(0, false), [], 'a link that can be opened again, and has ended nothing');
    assert.equal(notMeEnd, 'not me');
  });
});
