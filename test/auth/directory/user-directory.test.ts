// The user directory: what an act makes of a user, and what a text searches for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  delayPhoneChange,
  parseUserId,
  parseUserQuery,
  planAct,
  type UserAct,
} from '../../../src/auth/directory/user-directory.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { asUserId } from '../../helpers/people/ids.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const by = { actor: 'cli', why: 'fraud' } as const;

describe('an act on a user', () => {
  const earlier = noon - 5;
  const cases: [
    act: UserAct['act'],
    before: number | undefined,
    after: number | undefined,
    end: string | undefined,
    kind: string,
    isChange: boolean,
  ][] = [
    ['block', undefined, noon, 'blocked', 'user.blocked', true],
    ['block', earlier, earlier, 'blocked', 'user.blocked', false],
    ['unblock', earlier, undefined, undefined, 'user.unblocked', true],
    ['unblock', undefined, undefined, undefined, 'user.unblocked', false],
    ['sign out', earlier, earlier, 'revoked', 'user.signed-out', false],
    ['sign out', undefined, undefined, 'revoked', 'user.signed-out', false],
  ];
  for (const [act, before, after, end, kind, isChange] of cases) {
    it(`${act} of a user who was ${before === undefined ? 'not blocked' : 'blocked'} ${after === undefined ? 'leaves no block' : 'leaves a block'}`, () => {
      const { eventsOf, ...plan } = planAct(before, { userId: asUserId('user'), act, by, now: noon });
      assert.deepEqual(plan, { blockedAt: after, end });
      const event = { kind, userId: 'user', detail: by, now: noon };
      assert.deepEqual(eventsOf(1), [event], 'a session has ended');
      assert.deepEqual(eventsOf(0), isChange ? [event] : []);
    });
  }
});

describe('a scheduled change of the number of a user', () => {
  const due = noon + 10;
  const cases: [act: UserAct['act'], effectiveAt: number | undefined, blockedAt: number | undefined, after: unknown][] =
    [
      ['unblock', due, noon - 5, due + 5],
      ['unblock', due, undefined, due],
      ['unblock', undefined, noon - 5, undefined],
      ['block', due, undefined, due],
      ['block', due, noon - 5, due],
      ['sign out', due, noon - 5, due],
    ];
  for (const [act, effectiveAt, blockedAt, after] of cases)
    it(`${act} of a user ${blockedAt === undefined ? 'without' : 'with'} a block ${after === effectiveAt ? 'leaves the time of a change' : 'delays a change'}${effectiveAt === undefined ? ' that is not there' : ''}`, () =>
      assert.equal(delayPhoneChange(effectiveAt, blockedAt, { act, now: noon }), after));
});

describe('a search for users', () => {
  const id = '0192f0c1-7d1e-7000-8000-0123456789ab';
  for (const [text, by_, sought] of [
    ['', 'nothing', ''],
    ['  ', 'nothing', ''],
    [id, 'id', id],
    [` ${id} `, 'id', id],
    ['Ann@Example.COM', 'email', 'ann@example.com'],
    ['  ann@x ', 'email', 'ann@x'],
    ['E\u0301@example.com', 'email', 'é@example.com'],
    ['+12025550123', 'phone', '+12025550123'],
    ['+1 (202) 555-01.23', 'phone', '+12025550123'],
    ['+12345678', 'phone', '+12345678'],
    ['0123', 'phone end', '0123'],
    ['01-23', 'phone end', '0123'],
    ['123', 'phone end', '123'],
  ] as const) {
    it(`${JSON.stringify(text)} searches by ${by_}`, () =>
      assert.deepEqual(parseUserQuery(text, 7), { by: by_, text: sought, most: 7 }));
  }

  for (const text of ['12', 'ann', '+1234567', '+1234567890123456789', `${id}0`, '12a', '+', '-']) {
    it(`${JSON.stringify(text)} names no user`, () =>
      assert.throws(() => parseUserQuery(text, 7), { code: 'REQUEST_INVALID', detail: { field: 'who' } }));
  }

  it('a new id is the id of a user, and nothing longer, shorter or with other letters', () => {
    const made = newId();
    assert.equal(parseUserId(made), made);
    assert.equal(
      parseUserId(made.toUpperCase()),
      made,
      'an id may be written in capitals, and is stored in small letters',
    );
    assert.deepEqual(parseUserQuery(made.toUpperCase(), 1), { by: 'id', text: made, most: 1 });
    for (const text of [`${id}a`, id.slice(1), ` ${id}`, `${id}\n`, id.replace('-', ''), id.replace('0', 'g')])
      assert.throws(() => parseUserId(text), { code: 'NOT_FOUND' }, text);
  });
});
