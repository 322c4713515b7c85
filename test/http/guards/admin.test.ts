// The guards of the admin interface: it does not exist before the first staff link, takes only our own origin, and needs a session.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAdminGuards } from '../../../src/http/guards/admin.ts';
import type { OriginGuard } from '../../../src/http/guards/origin.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { randomText } from '../../../src/kernel/crypto/random.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { type AdminStore, hashAdminToken } from '../../../src/support/staff/admin.ts';
import type { StaffRole } from '../../../src/support/staff/staff-role.ts';

const now = 1_000_000;
const token = randomText(32);
const record = {
  id: 'adm',
  name: 'Ann',
  role: 'support' as const,
  endsAt: now + 1000,
  createdAt: 0,
  linkEndsAt: 0,
  lastUsedAt: now,
  endedAt: undefined,
  endReason: undefined,
};

function stage({ hasAny = true, isOwnOrigin = true } = {}) {
  const seen: string[] = [];
  const admins = {
    hasAny: async () => {
      seen.push('hasAny');
      return hasAny;
    },
    find: async (hash: string) => {
      seen.push('find');
      return hash === hashAdminToken(token) ? record : undefined;
    },
  } as Partial<AdminStore> as AdminStore;
  const ownOrigin: OriginGuard = () => {
    seen.push('origin');
    if (!isOwnOrigin) throw new Failure('CSRF_REJECTED');
  };
  const time = { passed: 15_000 };
  const guards = createAdminGuards({ admins, clock: { now: () => now } }, ownOrigin, () => time.passed);
  return { guards, seen, time };
}

const requestOf = (cookie?: string, clientAddress = '1.2.3.4') =>
  ({ headers: { cookie }, clientAddress }) as unknown as HttpRequest;

describe('the guards of the admin interface', () => {
  it('no admin interface exists before the first staff link', async () => {
    const { guards, seen } = stage({ hasAny: false });
    await assert.rejects(guards.requireAdminEnabled(), { code: 'NOT_FOUND' });
    await assert.rejects(guards.enter(requestOf()), { code: 'NOT_FOUND' });
    await assert.rejects(guards.check(requestOf(`ADMIN=${token}`), 'viewer'), { code: 'NOT_FOUND' });
    assert.deepEqual(seen, ['hasAny', 'hasAny', 'hasAny']);
  });

  it('another origin is refused before the session is looked up', async () => {
    const { guards, seen } = stage({ isOwnOrigin: false });
    await assert.rejects(guards.check(requestOf(`ADMIN=${token}`), 'viewer'), { code: 'CSRF_REJECTED' });
    await assert.rejects(guards.enter(requestOf()), { code: 'CSRF_REJECTED' });
    assert.deepEqual(seen, ['hasAny', 'origin', 'origin']);
  });

  it('a signed-in staff member passes', async () => {
    const { guards, seen } = stage();
    assert.deepEqual(await guards.check(requestOf(`a=b; ADMIN=${token}`), 'support'), {
      id: 'adm',
      name: 'Ann',
      role: 'support',
      endsAt: now + 1000,
    });
    await guards.requireAdminEnabled();
    assert.deepEqual(seen, ['hasAny', 'origin', 'find']);
  });

  for (const cookie of [undefined, '', 'JWT=x', 'ADMIN=', 'ADMIN=x', `ADMIN=${randomText(32)}`]) {
    it(`a request with the cookie ${cookie?.slice(0, 12)} needs a staff member`, async () => {
      await assert.rejects(stage().guards.check(requestOf(cookie), 'viewer'), { code: 'ADMIN_REQUIRED' });
    });
  }

  it('a role that includes the one of the call passes, a lower one is told which is needed, and a call without a role is for owners', async () => {
    const { guards } = stage();
    const ask = (role: StaffRole | undefined) => guards.check(requestOf(`ADMIN=${token}`), role);
    for (const role of ['viewer', 'support'] as const) assert.equal((await ask(role)).name, 'Ann');
    for (const role of ['owner', undefined] as const)
      await assert.rejects(ask(role), { code: 'STAFF_ROLE_REQUIRED', detail: { list: 'owner' } });
  });

  it('twenty attempts to sign in within a minute pass from one IP address, and other addresses are not counted', async () => {
    const { guards, time } = stage();
    for (let attempt = 0; attempt < 20; attempt++) await guards.enter(requestOf());
    const policy = { name: 'admin-sign-ins', quota: 20, windowSeconds: 60, resetSeconds: 46 };
    const refusal = { code: 'RATE_LIMITED', detail: { retryAfterSeconds: 46, policy } };
    await assert.rejects(guards.enter(requestOf()), refusal);
    await guards.enter(requestOf(undefined, '1.2.3.5'));
    time.passed = 120_000;
    await guards.enter(requestOf());
  });

  it('a refused origin counts no attempt', async () => {
    const { guards } = stage({ isOwnOrigin: false });
    for (let attempt = 0; attempt < 30; attempt++)
      await assert.rejects(guards.enter(requestOf()), { code: 'CSRF_REJECTED' });
  });
});
