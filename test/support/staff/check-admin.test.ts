// The staff member of a cookie: who passes, when the use is written down, and whether the admin page exists at all.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AdminRecord, type AdminStore, hashAdminToken } from '../../../src/support/staff/admin.ts';
import { checkAdmin, createAdminEnabledCheck } from '../../../src/support/staff/check-admin.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const clock = { now: () => noon };
const session = 's'.repeat(43);

const active: AdminRecord = {
  id: 'id',
  name: 'Ann',
  role: 'viewer',
  createdAt: noon - 3_600_000,
  linkEndsAt: noon - 1,
  endsAt: noon + 1,
  lastUsedAt: noon - 59_999,
  endedAt: undefined,
  endReason: undefined,
};

function open(record: AdminRecord | undefined) {
  const asked: string[] = [];
  const touched: unknown[] = [];
  const admins = {
    find: async (hash: string) => {
      asked.push(hash);
      return record;
    },
    touch: async (input: unknown) => void touched.push(input),
  } as unknown as AdminStore;
  return { deps: { admins, clock }, asked, touched };
}

describe('the staff member of a cookie', () => {
  it('an active sign-in is found by the hash of its cookie', async () => {
    const { deps, asked } = open(active);
    assert.deepEqual(await checkAdmin(deps, session), { id: 'id', name: 'Ann', role: 'viewer', endsAt: noon + 1 });
    assert.deepEqual(asked, [hashAdminToken(session)]);
  });

  for (const [what, record] of [
    ['unknown', undefined],
    ['expired', { ...active, endsAt: noon }],
    ['idle', { ...active, lastUsedAt: noon - 1_800_000 }],
    ['revoked', { ...active, endedAt: noon - 1, endReason: 'revoked' }],
    ['never entered', { ...active, lastUsedAt: undefined, linkEndsAt: noon + 1 }],
  ] as [string, AdminRecord | undefined][]) {
    it(`a sign-in that is ${what} is refused, and its use is not written down`, async () => {
      const { deps, touched } = open(record);
      await assert.rejects(checkAdmin(deps, session), { code: 'ADMIN_REQUIRED' });
      assert.deepEqual(touched, []);
    });
  }

  for (const cookie of [undefined, '', 'short', `${session}x`]) {
    it(`the cookie ${JSON.stringify(cookie)} is refused without a look into the store`, async () => {
      const { deps, asked } = open(active);
      await assert.rejects(checkAdmin(deps, cookie), { code: 'ADMIN_REQUIRED' });
      assert.deepEqual(asked, []);
    });
  }

  for (const [age, expected] of [
    [59_999, []],
    [60_000, [{ id: 'id', now: noon }]],
  ] as const) {
    it(`a use ${age} ms after the last one is ${expected.length === 0 ? 'not ' : ''}written down`, async () => {
      const { deps, touched } = open({ ...active, lastUsedAt: noon - age });
      await checkAdmin(deps, session);
      assert.deepEqual(touched, expected);
    });
  }
});

describe('the admin page', () => {
  it('is not found until a first link exists, and then found without asking again', async () => {
    let asked = 0;
    let hasAny = false;
    const admins = {
      hasAny: async () => {
        asked += 1;
        return hasAny;
      },
    } as unknown as AdminStore;
    const check = createAdminEnabledCheck({ admins });
    await assert.rejects(check(), { code: 'NOT_FOUND' });
    hasAny = true;
    await check();
    hasAny = false;
    await check();
    assert.equal(asked, 2);
  });
});
