// Deleting an account: one commit, then its sessions are refused, then its files are removed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteAccount } from '../../../src/auth/identity/delete-account.ts';
import { createAuthStage } from '../../helpers/people/auth-fakes.ts';
import { asFileId, asSessionId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('deleting an account', () => {
  it('deleting an account commits, revokes its sessions, and then removes its files', async () => {
    const { deps, calls } = createAuthStage({
      users: {
        deleteUser: async () => ({
          sessionIds: ['a', 'b'].map(asSessionId),
          fileIds: [asFileId('f')],
          uploadIds: [asUploadId('u')],
        }),
      },
      revocations: { add: () => undefined },
    });
    assert.equal(await deleteAccount(deps, asUserId('ann')), undefined);
    assert.deepEqual(calls, [
      ['users.deleteUser', { userId: 'ann', now: noon }],
      ['revocations.add', ['a', 'b']],
      ['removeBytes', ['f', 'u']],
    ]);
  });

  it('deleting an account that cannot be committed revokes and removes nothing', async () => {
    const { deps, calls } = createAuthStage({ users: { deleteUser: () => Promise.reject(new Error('no store')) } });
    await assert.rejects(deleteAccount(deps, asUserId('ann')), /no store/);
    assert.equal(calls.length, 1);
  });
});
