// One user as staff see them: active sessions with the IP address of their sign-in, and the storage in use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announceAgain } from '../../../src/auth/identity/scheduled-phone.ts';
import type { AuditQuery } from '../../../src/kernel/audit.ts';
import { showUser } from '../../../src/support/users/show-user.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

type Deps = Parameters<typeof showUser>[0];

const scheduled = { phone: asPhone('+12025550199'), effectiveAt: 9 };
const user = makeUserRecord({ phone: asPhone('+12025550123') });
const session = (id: string) => ({ id, userId: 'ann', createdAt: 1, lastUsedAt: 2, userAgent: undefined });

describe('a user as staff see them', () => {
  it('each session has the address of its own sign-in, or none if that is no longer stored', async () => {
    const asked: AuditQuery[] = [];
    const deps = {
      directory: { searchUsers: async () => [user], findLastUse: async () => 7 },
      scheduledPhones: { findPhoneChange: async () => scheduled },
      sessions: { listSessions: async () => ['a', 'b', 'c', 'shop'].map(session) },
      files: {
        usage: async () => ({ bytes: 5, files: 1 }),
        measureReserved: async () => ({ bytes: 3, files: 2 }),
      },
      trash: { measureTrash: async () => ({ bytes: 2, files: 1 }) },
      audit: {
        list: async (query: AuditQuery) => {
          asked.push(query);
          if (query.kind === 'app.signed-in')
            return [{ id: '3', kind: 'app.signed-in', detail: { session: 'shop', ip: '192.0.2.8' }, at: 3 }];
          return [
            { id: '2', kind: 'login.succeeded', detail: { session: 'b', ip: '198.51.100.2' }, at: 2 },
            { id: '1', kind: 'login.succeeded', detail: { session: 'a', ip: '203.0.113.7' }, at: 1 },
            { id: '0', kind: 'login.succeeded', detail: { session: 'old', ip: '192.0.2.1' }, at: 0 },
          ];
        },
      },
      clock: { now: () => 9 },
    } as unknown as Deps;
    const shown = await showUser(deps, asPhone('+12025550123'));
    assert.equal(shown.user, user);
    assert.deepEqual(shown.usage, {
      bytes: 5,
      files: 1,
      trash: { bytes: 2, files: 1 },
      reserved: { bytes: 3, files: 2 },
    });
    assert.deepEqual([shown.lastUsedAt, shown.scheduled], [7, scheduled]);
    assert.deepEqual(
      shown.sessions.map(({ id, address }) => [id, address]),
      [
        ['a', '203.0.113.7'],
        ['b', '198.51.100.2'],
        ['c', undefined],
        ['shop', '192.0.2.8'],
      ],
    );
    deps.scheduledPhones.findPhoneChange = async () => ({ ...scheduled, effectiveAt: announceAgain });
    const restored = await showUser(deps, asPhone('+12025550123'));
    assert.deepEqual(restored.scheduled, { ...scheduled, effectiveAt: undefined });
    const range = { userId: 'ann', since: 0, most: 200 };
    assert.deepEqual(asked.slice(2), [
      { ...range, kind: 'login.succeeded' },
      { ...range, kind: 'app.signed-in' },
    ]);
  });
});
