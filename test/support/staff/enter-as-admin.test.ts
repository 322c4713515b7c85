// Signing in a staff member with a link: only well-formed tokens reach the store, and the store sees hashes only.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Admin, type AdminStore, hashAdminToken, isAdminToken } from '../../../src/support/staff/admin.ts';
import { enterAsAdmin } from '../../../src/support/staff/enter-as-admin.ts';

const token = 't'.repeat(43);
const admin: Admin = { id: 'id', name: 'Ann', role: 'support', endsAt: 9 };

function open(found: Admin | undefined) {
  const asked: { linkHash: string; sessionHash: string; now: number }[] = [];
  const enter: AdminStore['enter'] = async (input) => {
    asked.push(input);
    return found;
  };
  return { deps: { admins: { enter } as AdminStore, clock: { now: () => 5 } }, asked };
}

describe('a link for staff', () => {
  it('a link gives a new session whose hash is stored with the hash of the link', async () => {
    const { deps, asked } = open(admin);
    const first = await enterAsAdmin(deps, token);
    const second = await enterAsAdmin(deps, token);
    assert.deepEqual(first.admin, admin);
    assert.ok(isAdminToken(first.session) && first.session !== second.session && first.session !== token);
    assert.deepEqual(asked, [
      { linkHash: hashAdminToken(token), sessionHash: hashAdminToken(first.session), now: 5 },
      { linkHash: hashAdminToken(token), sessionHash: hashAdminToken(second.session), now: 5 },
    ]);
  });

  it('a link that is unknown, used, expired or revoked is refused', async () =>
    assert.rejects(enterAsAdmin(open(undefined).deps, token), { code: 'ADMIN_REQUIRED' }));

  it('a text that is no token is refused without a look into the store', async () => {
    const { deps, asked } = open(admin);
    await assert.rejects(enterAsAdmin(deps, 'short'), { code: 'ADMIN_REQUIRED' });
    assert.deepEqual(asked, []);
  });
});
