// Deleting a user for staff: only a user that exists, and the bytes of the files go after the commit.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeUser } from '../../../src/support/users/remove-user.ts';
import { asPhone, asUserId } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

type Deps = Parameters<typeof removeUser>[0];

const by = { actor: 'cli', why: 'asked for it' } as const;
const id = asUserId('0192f0c1-7d1e-7000-8000-0123456789ab');
const user = makeUserRecord({ id, phone: asPhone('+12025550123') });

function open(found: readonly (typeof user)[]) {
  const steps: unknown[] = [];
  const deps = {
    directory: { searchUsers: async () => found, actOn: async () => [] },
    users: {
      deleteUser: async (deletion: unknown) => {
        steps.push(deletion);
        return { sessionIds: ['a', 'b'], fileIds: ['f'], uploadIds: ['u'] };
      },
    },
    removeBytes: async (ids: unknown) => void steps.push(ids),
    clock: { now: () => 9 },
  } as unknown as Deps;
  return { deps, steps };
}

describe('deleting a user', () => {
  it('the account goes first, then the bytes, and the counts are returned', async () => {
    const { deps, steps } = open([user]);
    assert.deepEqual(await removeUser(deps, { userId: id, by }), { endedSessions: 2, deletedFiles: 1 });
    assert.deepEqual(steps, [{ userId: id, now: 9, by }, ['f', 'u']]);
  });

  it('an unknown user is not found, and nothing is deleted', async () => {
    const { deps, steps } = open([]);
    await assert.rejects(removeUser(deps, { userId: id, by }), { code: 'NOT_FOUND' });
    assert.deepEqual(steps, []);
  });
});
