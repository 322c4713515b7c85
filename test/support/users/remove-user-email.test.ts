// Staff remove an address and cancel a change of number: only of a user that exists, with their reason.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserId } from '../../../src/kernel/ids.ts';
import { cancelUserPhoneChange } from '../../../src/support/users/cancel-user-phone-change.ts';
import { removeUserEmail } from '../../../src/support/users/remove-user-email.ts';
import { createAuthStage, failureOf, givenTo } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

const by = { actor: 'cli', why: 'ticket 4714' } as const;
const userId = asUserId('0192f0c1-7d1e-7000-8000-0123456789ab');
const ann = makeUserRecord({ id: userId, phone: asPhone('+12025550123'), email: asEmail('ann@example.com') });
const input = { userId, by, language: 'fr' } as const;

function stageOf(isDone: boolean, found: readonly (typeof ann)[] = [ann]) {
  const { deps, calls } = createAuthStage({
    bindings: { removeEmail: async () => (isDone ? 'removed' : 'none') },
    scheduledPhones: { cancelPhoneChange: async () => isDone },
  });
  const directory = { searchUsers: async () => [...found] } as never;
  return { deps: { ...deps, directory }, calls };
}

describe('acts of staff on the ways in', () => {
  const acts = [
    ['removing an address', removeUserEmail, 'bindings.removeEmail', 'email-removed'],
    [
      'cancelling a change of number',
      cancelUserPhoneChange,
      'scheduledPhones.cancelPhoneChange',
      'phone-change-cancelled',
    ],
  ] as const;
  for (const [what, act, verb, topic] of acts) {
    it(`${what} commits the reason and the notices, and wakes the delivery`, async () => {
      const { deps, calls } = stageOf(true);
      assert.equal(await act(deps, input), true);
      const given = givenTo<{ by: unknown; userId: UserId; notices: { mail: { message: { payload: object } } } }>(
        calls,
        verb,
      );
      assert.deepEqual([given.userId, given.by], [userId, by]);
      const { topic: shownTopic, language } = given.notices.mail.message.payload as { topic: string; language: string };
      assert.deepEqual([shownTopic, language], [topic, 'fr']);
      assert.equal(calls.at(-1)?.[0], 'wakeDelivery');
    });

    it(`${what} where there is nothing wakes nobody, and says so`, async () => {
      const { deps, calls } = stageOf(false);
      assert.equal(await act(deps, input), false);
      assert.deepEqual(
        calls.map(([name]) => name),
        [verb],
      );
    });

    it(`${what} of an unknown user is not found`, async () => {
      const { deps, calls } = stageOf(true, []);
      assert.deepEqual(await failureOf(act(deps, input)), ['NOT_FOUND', { user: input.userId }]);
      assert.deepEqual(calls, []);
    });
  }
});
