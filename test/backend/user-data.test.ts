// The data that an app stores with a user: what is accepted, how large it may be, and what a change makes of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type GivenUserData,
  noUserData,
  planUserData,
  readUserData,
  type UserData,
  userDataLimits,
} from '../../src/backend/user-data.ts';
import { Failure } from '../../src/kernel/failure.ts';
import type { UserId } from '../../src/kernel/ids.ts';
import { detailOf } from '../helpers/detail-of.ts';
import { asUserId } from '../helpers/people/ids.ts';

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
/** An object whose JSON text has this many bytes. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

function refusalOf(given: GivenUserData): string {
  try {
    readUserData(given);
  } catch (error) {
    if (error instanceof Failure) return [error.code, detailOf(error).field, detailOf(error).limit].join(' ').trim();
    throw error;
  }
  return 'accepted';
}

describe('the data of an app', () => {
  for (const [what, given, expected] of [
    ['nothing', {}, {}],
    ['an external id', { externalId: 'customer 4711 ü' }, { externalId: 'customer 4711 ü' }],
    ['no external id any more', { externalId: null }, { externalId: null }],
    [
      'claims',
      { claims: { plan: 'pro', seats: 3, flags: [true, null] } },
      '{"plan":"pro","seats":3,"flags":[true,null]}',
    ],
    ['no claims any more', { claims: null }, { claims: null }],
    ['empty claims', { claims: {} }, { claims: null }],
    ['public metadata', { metadata: { public: { a: 1 } } }, { 'metadata.public': '{"a":1}' }],
    ['private metadata', { metadata: { private: { a: 1 } } }, { 'metadata.private': '{"a":1}' }],
    ['metadata of neither kind', { metadata: {} }, {}],
    ['one kind of metadata that goes', { metadata: { public: null } }, { 'metadata.public': null }],
    ['no metadata any more', { metadata: null }, { 'metadata.public': null, 'metadata.private': null }],
  ] as const) {
    it(`the data of an app may be ${what}`, () => {
      assert.deepEqual(readUserData(given), typeof expected === 'string' ? { claims: expected } : expected);
    });
  }

  for (const [what, given, expected] of [
    ['an external id of no characters', { externalId: '' }, 'externalId'],
    ['an external id of 256 characters', { externalId: 'x'.repeat(256) }, 'externalId'],
    ['an external id with a line break', { externalId: 'a\nb' }, 'externalId'],
    ['an external id with a control character of another range', { externalId: 'a\u0085b' }, 'externalId'],
    ['an external id with half of a surrogate pair', { externalId: 'a\ud800' }, 'externalId'],
    ['a text', { claims: 'admin' }, 'claims'],
    ['a list', { claims: ['admin'] }, 'claims'],
    ['a number that JSON cannot write', { claims: { a: Number.POSITIVE_INFINITY } }, 'claims'],
    ['a text with NUL', { claims: { a: 'x\0' } }, 'claims'],
    ['a name with NUL', { claims: { 'x\0': 1 } }, 'claims'],
    ['half of a surrogate pair', { metadata: { public: { a: ['\udc00'] } } }, 'metadata.public'],
    ['a name that changes a prototype', { claims: JSON.parse('{"a":{"__proto__":{"b":1}}}') }, 'claims'],
    ['nine levels', { metadata: { private: nested(9) } }, 'metadata.private'],
    ['ten thousand levels', { claims: nested(10_000) }, 'claims'],
  ] as const) {
    it(`the data of an app may not be ${what}`, () => {
      assert.equal(refusalOf(given), `REQUEST_INVALID ${expected}`);
    });
  }

  it('the data of an app may have eight levels, and an external id of 255 characters', () => {
    assert.equal(refusalOf({ claims: nested(8) }), 'accepted');
    assert.equal(refusalOf({ externalId: '😀'.repeat(255) }), 'accepted');
  });

  for (const [field, limit, text] of [
    ['claims', userDataLimits.claims, '1 KiB'],
    ['metadata.public', userDataLimits['metadata.public'], '4 KiB'],
    ['metadata.private', userDataLimits['metadata.private'], '4 KiB'],
  ] as const) {
    const given = (value: unknown): GivenUserData =>
      field === 'claims' ? { claims: value } : { metadata: { [field.slice('metadata.'.length)]: value } };

    it(`${field} may have ${text} as JSON, and not a byte more`, () => {
      assert.equal(refusalOf(given(sized(limit))), 'accepted');
      assert.equal(refusalOf(given(sized(limit + 1))), `USER_DATA_TOO_LARGE ${field} ${text}`);
    });

    it(`${field} counts the bytes of UTF-8, not the characters`, () => {
      const euros = (count: number) => given({ a: '€'.repeat(count) });
      assert.equal(refusalOf(euros(Math.floor((limit - 8) / 3))), 'accepted');
      assert.equal(refusalOf(euros(Math.floor((limit - 8) / 3) + 1)), `USER_DATA_TOO_LARGE ${field} ${text}`);
    });
  }
});

describe('a change of the data of an app', () => {
  const known: UserData = {
    ...noUserData,
    externalId: 'four',
    claims: '{"plan":"pro"}',
    'metadata.private': '{"score":7}',
  };
  const by = { actor: 'service', key: 'key', why: '' } as const;
  const plan = (patch: Partial<UserData>, owner?: UserId) =>
    planUserData(known, owner, { userId: asUserId('ann'), patch, by, now: 5 });

  it('a change of the data of an app replaces what it names, and its event names the fields without their values', () => {
    assert.deepEqual(plan({ claims: null, 'metadata.public': '{"a":1}' }), {
      kind: 'changed',
      data: { ...known, claims: null, 'metadata.public': '{"a":1}' },
      event: { kind: 'user.data-changed', userId: 'ann', detail: { fields: 'claims, metadata.public', ...by }, now: 5 },
    });
  });

  it('a change of the data of an app to what it is has no event', () => {
    assert.deepEqual(plan({ ...known }, asUserId('ann')), { kind: 'changed', data: known, event: undefined });
  });

  for (const [what, patch, owner, kind] of [
    ['that another user has', { externalId: 'five' }, asUserId('bob'), 'taken'],
    ['that nobody has', { externalId: 'five' }, undefined, 'changed'],
    ['that the user has', { externalId: 'four' }, asUserId('ann'), 'changed'],
    ['that goes', { externalId: null }, asUserId('bob'), 'changed'],
  ] as const) {
    it(`a change with an external id ${what} is ${kind}`, () => assert.equal(plan(patch, owner).kind, kind));
  }
});
