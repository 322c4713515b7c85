// Showing a user in full: the audit event is written before anything is returned.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { revealUser } from '../../../src/support/users/reveal-user.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

type Deps = Parameters<typeof revealUser>[0];

const by = { actor: 'cli', why: 'ticket' } as const;
const scheduled = { phone: '+12025550199', effectiveAt: 9 };
const user = makeUserRecord({ phone: asPhone('+12025550123') });

function open(record: (event: unknown) => Promise<void>): Deps {
  return {
    directory: { searchUsers: async () => [user], findLastUse: async () => 7 },
    scheduledPhones: { findPhoneChange: async () => scheduled },
    sessions: { listSessions: async () => [] },
    files: {
      usage: async () => ({ bytes: 0, files: 0 }),
      measureReserved: async () => ({ bytes: 0, files: 0 }),
    },
    trash: { measureTrash: async () => ({ bytes: 0, files: 0 }) },
    audit: { list: async () => [], record },
    clock: { now: () => 9 },
  } as unknown as Deps;
}

describe('revealing a user', () => {
  it('is written down with who and why', async () => {
    const events: unknown[] = [];
    const deps = open(async (event) => void events.push(event));
    assert.equal((await revealUser(deps, { who: '+12025550123', by })).user, user);
    assert.deepEqual(events, [{ kind: 'user.revealed', userId: 'ann', detail: by, now: 9 }]);
  });

  it('does not happen if it cannot be written down', () =>
    assert.rejects(
      revealUser(
        open(() => Promise.reject(new Error('no store'))),
        { who: '+12025550123', by },
      ),
      /no store/,
    ));
});
