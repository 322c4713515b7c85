// Who sees what of a user: every field of each view, in its order, because answers and exported files keep it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackendUser } from '../../../src/auth/directory/user-directory.ts';
import {
  accountView,
  backendView,
  claimsView,
  exportedView,
  staffView,
} from '../../../src/auth/directory/user-views.ts';
import type { User } from '../../../src/auth/identity/user.ts';
import { asEmail, asPhone } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

const ways = { phone: asPhone('+12025550123'), email: asEmail('ann@example.com') };
const data = { externalId: 'x1', claims: { a: 1 }, publicMetadata: { b: 2 } };
const record = makeUserRecord({ ...ways, createdAt: 0, blockedAt: 1, ...data });
const ann: BackendUser = { ...record, privateMetadata: { c: 3 }, lastSeenAt: 2 };
const bob: BackendUser = { ...makeUserRecord({ phone: undefined, createdAt: 0 }), privateMetadata: {}, lastSeenAt: 2 };

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
/** The names and values in their order. T1 is a millisecond after the epoch. */
const written = (view: object) =>
  Object.entries(view)
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(' ')
    .replaceAll(/1970-01-01T00:00:00\.00(\d)Z/g, 'T$1');

describe('a view of a user', () => {
  const cases: [who: string, view: (user: BackendUser) => object, ofAnn: string, ofBob: string][] = [
    [
      'the user',
      accountView,
      'id=ann phone=+12025550123 email=ann@example.com createdAt=T0 metadata={"b":2}',
      'id=ann phone=null email=null createdAt=T0 metadata={}',
    ],
    [
      'staff',
      (user) => ({ ...staffView(user, false).account, ...staffView(user, false).appData }),
      'id=ann phone=+12•••23 email=a•••@example.com createdAt=T0 blockedAt=T1 externalId=x1 claims={"a":1} metadata={"b":2}',
      'id=ann phone=null email=null createdAt=T0 blockedAt=null externalId=null claims={} metadata={}',
    ],
    [
      'the back end',
      backendView,
      'id=ann phone=+12025550123 email=ann@example.com externalId=x1 claims={"a":1} metadata={"public":{"b":2},"private":{"c":3}} blockedAt=T1 createdAt=T0 lastSeenAt=T2',
      'id=ann phone=null email=null externalId=null claims={} metadata={"public":{},"private":{}} blockedAt=null createdAt=T0 lastSeenAt=T2',
    ],
  ];
  for (const [who, view, ...expected] of cases)
    it(`for ${who} has every field in its order`, () =>
      assert.deepEqual([written(view(ann)), written(view(bob))], expected));

  const phone = { phone_number: ways.phone, phone_number_verified: true };
  const email = { email: ways.email, email_verified: true };
  const claims: [what: string, user: User, scopes: readonly string[], expected: object][] = [
    ['no contact without a scope', ann, ['openid'], {}],
    ['the number by scope phone', ann, ['openid', 'phone'], phone],
    ['the address by scope email', ann, ['openid', 'email'], email],
    ['nothing that the user does not have', bob, ['phone', 'email'], {}],
  ];
  for (const [what, user, scopes, expected] of claims) {
    const view = claimsView(user, (scope) => scopes.includes(scope));
    it(`for apps has ${what}`, () => assert.deepEqual(view, expected));
  }

  it('for staff is in full if they have revealed the user', () =>
    assert.deepEqual(staffView(ann, true).account, { ...staffView(ann, false).account, ...ways }));

  it('for an export is that of the back end, and says that an address was proved', () => {
    const exported = (user: BackendUser) => written(exportedView(user)).replace(/ emailVerified=\w+(?= ext)/, '');
    assert.deepEqual([ann, bob].map(exported), [written(backendView(ann)), written(backendView(bob))]);
    assert.deepEqual([exportedView(ann).emailVerified, exportedView(bob).emailVerified], [true, false]);
  });
});
