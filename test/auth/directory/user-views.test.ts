// Who sees what of a user: every field of each view, in its order, because answers and exported files keep it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackendUser } from '../../../src/auth/directory/user-directory.ts';
import { accountView, backendView, exportedView, staffView } from '../../../src/auth/directory/user-views.ts';
import { asEmail, asPhone } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

const [phone, email] = [asPhone('+12025550123'), asEmail('ann@example.com')];
const data = { externalId: 'x1', claims: { a: 1 }, publicMetadata: { b: 2 } };
const record = makeUserRecord({ phone, email, createdAt: 0, blockedAt: 1, ...data });
const ann: BackendUser = { ...record, privateMetadata: { c: 3 }, lastSeenAt: 2 };
const bob: BackendUser = { ...makeUserRecord({ phone: undefined, createdAt: 0 }), privateMetadata: {}, lastSeenAt: 2 };

/** Times are written as the milliseconds after 1970. */
const cases: [who: string, view: (user: BackendUser) => object, ofAnn: string, ofBob: string][] = [
  [
    'the user',
    accountView,
    'id=ann phone=+12025550123 email=ann@example.com createdAt=T0 metadata={"b":2}',
    'id=ann phone=null email=null createdAt=T0 metadata={}',
  ],
  [
    'staff',
    (user) => staffView(user, false).account,
    'id=ann phone=+12•••23 email=a•••@example.com createdAt=T0 blockedAt=T1',
    'id=ann phone=null email=null createdAt=T0 blockedAt=null',
  ],
  [
    'staff who have revealed the user',
    (user) => staffView(user, true).account,
    'id=ann phone=+12025550123 email=ann@example.com createdAt=T0 blockedAt=T1',
    'id=ann phone=null email=null createdAt=T0 blockedAt=null',
  ],
  [
    'staff who export the user, also',
    (user) => staffView(user, true).appData,
    'externalId=x1 claims={"a":1} metadata={"b":2}',
    'externalId=null claims={} metadata={}',
  ],
  [
    'the back end',
    backendView,
    'id=ann phone=+12025550123 email=ann@example.com externalId=x1 claims={"a":1} metadata={"public":{"b":2},"private":{"c":3}} blockedAt=T1 createdAt=T0 lastSeenAt=T2',
    'id=ann phone=null email=null externalId=null claims={} metadata={"public":{},"private":{}} blockedAt=null createdAt=T0 lastSeenAt=T2',
  ],
  [
    'an import of the export',
    exportedView,
    'id=ann phone=+12025550123 email=ann@example.com emailVerified=true externalId=x1 claims={"a":1} metadata={"public":{"b":2},"private":{"c":3}} blockedAt=T1 createdAt=T0 lastSeenAt=T2',
    'id=ann phone=null email=null emailVerified=false externalId=null claims={} metadata={"public":{},"private":{}} blockedAt=null createdAt=T0 lastSeenAt=T2',
  ],
];

function written(view: object): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const fields = Object.entries(view).map(([name, value]) => `${name}=${text(value)}`);
  return fields.join(' ').replaceAll(/1970-01-01T00:00:00\.00(\d)Z/g, 'T$1');
}

describe('a view of a user', () => {
  for (const [who, view, ofAnn, ofBob] of cases)
    it(`for ${who} has every field in its order`, () =>
      assert.deepEqual([ann, bob].map(view).map(written), [ofAnn, ofBob]));
});
