// A user who is deleted: how the sessions end, and what is written down.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deletionEnd, userDeletedEvent } from '../../../src/auth/identity/user.ts';
import { asUserId } from '../../helpers/people/ids.ts';

describe('a deleted user', () => {
  it('the sessions end because the account was deleted', () => assert.equal(deletionEnd, 'account deleted'));

  it('the event names who deleted the user, unless it was the user', () => {
    const by = { actor: 'cli', why: 'fraud' } as const;
    const event = { kind: 'user.deleted', userId: 'user', detail: {}, now: 5 };
    assert.deepEqual(userDeletedEvent({ userId: asUserId('user'), now: 5 }), event);
    assert.deepEqual(userDeletedEvent({ userId: asUserId('user'), now: 5, by }), { ...event, detail: by });
  });
});
