// Blocking, unblocking and signing out a user through the directory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actOnUser } from '../../../src/auth/directory/act-on-user.ts';
import type { UserAct, UserDirectory } from '../../../src/auth/directory/user-directory.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';

const input = { userId: asUserId('ann'), act: 'block', by: { actor: 'cli', why: 'fraud' } } as const;

describe('an act of staff on a user', () => {
  it('the act is carried out now, and the number of ended sessions is returned', async () => {
    const acts: UserAct[] = [];
    const directory: Pick<UserDirectory, 'actOn'> = {
      actOn: async (act) => {
        acts.push(act);
        return ['a', 'b'].map(asSessionId);
      },
    };
    assert.deepEqual(await actOnUser({ directory, clock: { now: () => 9 } }, input), { endedSessions: 2 });
    assert.deepEqual(acts, [{ ...input, now: 9 }]);
  });

  it('a user that does not exist is not found', async () => {
    const directory: Pick<UserDirectory, 'actOn'> = { actOn: async () => undefined };
    await assert.rejects(actOnUser({ directory, clock: { now: () => 9 } }, input), { code: 'NOT_FOUND' });
  });
});
