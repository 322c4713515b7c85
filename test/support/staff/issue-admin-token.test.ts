// A link for a staff member: its name, its life, and what is stored of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AdminDraft, type AdminStore, hashAdminToken, isAdminToken } from '../../../src/support/staff/admin.ts';
import { issueAdminToken } from '../../../src/support/staff/issue-admin-token.ts';
import { staffRoles } from '../../../src/support/staff/staff-role.ts';

const noon = Date.UTC(2031, 4, 5, 12);

function open() {
  const issued: AdminDraft[] = [];
  const admins = { issue: async (draft: AdminDraft) => void issued.push(draft) } as unknown as AdminStore;
  return { deps: { admins, clock: { now: () => noon } }, issued };
}

describe('a link for a staff member', () => {
  it('the token is returned once, and only its hash is stored', async () => {
    const { deps, issued } = open();
    const { token, ...admin } = await issueAdminToken(deps, { name: ' Ann\n', lifeSeconds: 28_800 });
    assert.ok(isAdminToken(token));
    const ends = { endsAt: noon + 28_800_000, linkEndsAt: noon + 3_600_000 };
    assert.deepEqual(admin, { id: admin.id, name: 'Ann', role: 'owner', ...ends });
    assert.deepEqual(issued, [{ ...admin, createdAt: noon, linkHash: hashAdminToken(token) }]);
  });

  for (const role of staffRoles) {
    it(`a link for the role ${role} is stored with it`, async () => {
      const { deps, issued } = open();
      await issueAdminToken(deps, { name: 'Ann', role, lifeSeconds: 60 });
      assert.equal(issued[0]?.role, role);
    });
  }

  for (const [lifeSeconds, linkSeconds] of [
    [60, 60],
    [3599, 3599],
    [3600, 3600],
    [86_400, 3600],
  ] as const) {
    it(`a sign-in of ${lifeSeconds} s has a link of ${linkSeconds} s`, async () => {
      const { linkEndsAt, endsAt } = await issueAdminToken(open().deps, { name: 'Ann', lifeSeconds });
      assert.deepEqual([linkEndsAt, endsAt], [noon + linkSeconds * 1000, noon + lifeSeconds * 1000]);
    });
  }

  for (const [what, name, lifeSeconds, field] of [
    ['no name', '', 3600, 'name'],
    ['a name of spaces', ' \n', 3600, 'name'],
    ['a name of 61 characters', 'x'.repeat(61), 3600, 'name'],
    ['a life below a minute', 'Ann', 59, 'life'],
    ['a life above a day', 'Ann', 86_401, 'life'],
  ] as const) {
    it(`${what} is refused, and nothing is stored`, async () => {
      const { deps, issued } = open();
      const refusal = { code: 'REQUEST_INVALID', detail: { field } };
      await assert.rejects(issueAdminToken(deps, { name, lifeSeconds }), refusal);
      assert.deepEqual(issued, []);
    });
  }

  it('a name of 60 characters is kept whole', async () => {
    const { name } = await issueAdminToken(open().deps, { name: 'x'.repeat(60), lifeSeconds: 60 });
    assert.equal(name.length, 60);
  });
});
