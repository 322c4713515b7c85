// Turning a foreign record into a draft: only proved ways in, data that fits, and a reason for everything that is left out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePhoneNumber } from '../../../src/auth/identity/phone-number.ts';
import { draftUser } from '../../../src/backend/import/draft-user.ts';
import type { ForeignUser } from '../../../src/backend/import/foreign-user.ts';
import { noImportedFields } from '../../../src/backend/import-user.ts';

const now = Date.UTC(2026, 0, 1);
const foreign: ForeignUser = {
  externalId: 'x1',
  phone: '+1 202 555 0123',
  isPhoneVerified: true,
  email: ' Ann@Example.com ',
  isEmailVerified: true,
  createdAt: 1000,
  lastSeenAt: 2000,
  isBlocked: false,
  claims: { plan: 'gold' },
  'metadata.public': {},
};
const readPhone = (text: string) => parsePhoneNumber(text).phone;
const drafted = (changes: Partial<ForeignUser>) => draftUser({ ...foreign, ...changes }, { readPhone, now });

function draftOf(changes: Partial<ForeignUser>) {
  const made = drafted(changes);
  assert.ok(made.kind === 'draft', JSON.stringify(made));
  return made;
}

describe('draftUser', () => {
  it('a user with everything becomes a draft with a new id', () => {
    const { draft, leftOut } = draftOf({});
    const { id, ...fields } = draft;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(fields, {
      ...noImportedFields,
      externalId: 'x1',
      phone: '+12025550123',
      email: 'Ann@Example.com',
      emailKey: 'ann@example.com',
      claims: '{"plan":"gold"}',
      createdAt: 1000,
      seenAt: 2000,
      blockedAt: null,
    });
  });

  it('what does not fit is left out with its reason', () => {
    const cases: readonly (readonly [Partial<ForeignUser>, string])[] = [
      [{ isPhoneVerified: false }, 'the phone number is not verified'],
      [{ phone: '202 555 0123' }, 'the phone number does not begin with a plus sign and a country code'],
      [{ phone: '1.2025550123E+10' }, 'the phone number does not begin with a plus sign and a country code'],
      [{ phone: '+1 202' }, 'the phone number is not valid'],
      [{ phone: '+18005550123' }, 'the phone number is not of a type that is served'],
      [{ isEmailVerified: false }, 'the e-mail address is not verified'],
      [{ email: 'ann@localhost' }, 'the e-mail address is not valid'],
      [{ email: "'ann@example.com" }, 'the e-mail address begins with a quotation mark'],
      [{ phone: "'+1 202 555 0123" }, 'the phone number does not begin with a plus sign and a country code'],
      [{ claims: 'gold' }, 'the claims are no JSON object that can be stored'],
      [{ claims: ['gold'] }, 'the claims are no JSON object that can be stored'],
      [{ claims: { a: 'x'.repeat(1017) } }, 'the claims are larger than 1024 bytes'],
      [{ 'metadata.public': { a: 'ü'.repeat(2045) } }, 'the public metadata are larger than 4096 bytes'],
      [{ 'metadata.private': { a: 'x'.repeat(4089) } }, 'the private metadata are larger than 4096 bytes'],
      [{ claims: { a: '\u0000' } }, 'the claims are no JSON object that can be stored'],
    ];
    for (const [changes, reason] of cases) assert.deepEqual(draftOf(changes).leftOut, [reason], reason);
    assert.deepEqual(draftOf({ claims: { a: 'x'.repeat(1016) } }).leftOut, []);
  });

  it('a user without a proved way in is refused with the reasons, and so is one that is deleted there', () => {
    const refusals: readonly (readonly [Partial<ForeignUser>, string])[] = [
      [{ phone: undefined, email: undefined }, 'no way in'],
      [{ phone: undefined, isEmailVerified: false }, 'no way in: the e-mail address is not verified'],
      [{ phone: undefined, email: "'a@b.co" }, 'no way in: the e-mail address begins with a quotation mark'],
      [{ phone: '+1', email: 'x' }, 'no way in: the phone number is not valid: the e-mail address is not valid'],
      [{ isDeleted: true }, 'the user is deleted there'],
      [{ externalId: 'x'.repeat(256) }, 'the id is too long or has control characters'],
      [{ isIdRounded: true }, 'the id is a number that is too long to be read exactly: write it as text'],
      [{ externalId: 'a\nb' }, 'the id is too long or has control characters'],
    ];
    for (const [changes, reason] of refusals) assert.deepEqual(drafted(changes), { kind: 'refused', reason });
  });

  it('a user keeps an id of our own form, and no other', () => {
    const own = '0190a3c4-5b6d-7e8f-9a0b-1c2d3e4f5061';
    for (const id of [own, own.toUpperCase()]) assert.equal(draftOf({ id }).draft.id, own);
    for (const id of ['6f1c2d3e-0001-4a5b-8c7d-000000000001', 'x']) assert.notEqual(draftOf({ id }).draft.id, id);
  });

  it('a time that cannot be is now, and a ban counts until it ends', () => {
    const times = ({ createdAt, lastSeenAt }: Partial<ForeignUser>) => {
      const { draft } = draftOf({ createdAt, lastSeenAt });
      return [draft.createdAt, draft.seenAt];
    };
    assert.deepEqual(times({}), [now, now]);
    assert.deepEqual(times({ createdAt: now + 1, lastSeenAt: -1 }), [now, now]);
    assert.deepEqual(times({ createdAt: 0, lastSeenAt: now }), [0, now]);
    const blockedAt = (changes: Partial<ForeignUser>) => draftOf(changes).draft.blockedAt;
    assert.deepEqual(
      [blockedAt({ isBlocked: true }), blockedAt({ blockedUntil: now + 1 }), blockedAt({ blockedUntil: now })],
      [now, now, null],
    );
    const given = [5, now, now + 1, -1, undefined];
    assert.deepEqual(
      given.map((at) => blockedAt({ isBlocked: true, blockedAt: at })),
      [5, now, now, now, now],
    );
    assert.equal(blockedAt({ isBlocked: false, blockedAt: undefined }), null);
  });
});
