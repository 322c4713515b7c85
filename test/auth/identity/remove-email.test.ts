// Removing an e-mail address: what is committed, who is notified, and when the delivery wakes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EmailRemoval, RemovalOutcome } from '../../../src/auth/identity/email-binding.ts';
import { removeEmail } from '../../../src/auth/identity/remove-email.ts';
import type { NoticeChoice } from '../../../src/auth/notices/notice.ts';
import { createAuthStage, failureOf, givenTo } from '../../helpers/people/auth-fakes.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const stageOf = (outcome: RemovalOutcome, noticeChoice: NoticeChoice) =>
  createAuthStage({ bindings: { removeEmail: async () => outcome } }, { noticeChoice });

describe('removing an e-mail address', () => {
  const cases: [NoticeChoice, topics: (string | undefined)[], woken: string | undefined][] = [
    ['off', [undefined, undefined], 'mail'],
    ['mail', ['email-removed', undefined], 'mail'],
    ['mail+sms', ['email-removed', 'email-removed'], undefined],
  ];
  for (const [choice, topics, woken] of cases) {
    it(`removing an address with NOTICES=${choice} commits the notices with the removal`, async () => {
      const { deps, calls } = stageOf('removed', choice);
      await removeEmail(deps, { userId: asUserId('ann'), language: 'de' });
      const { notices, ...removal } = givenTo<EmailRemoval>(calls, 'bindings.removeEmail');
      assert.deepEqual(removal, { userId: 'ann', now: noon });
      assert.deepEqual([notices?.mail.message.payload.topic, notices?.sms?.message.payload.topic], topics);
      if (notices !== undefined) assert.equal(notices.mail.message.payload.language, 'de');
      assert.deepEqual(calls.at(-1), ['wakeDelivery', woken]);
    });
  }

  it('removing an address that is not there succeeds, and wakes nobody', async () => {
    const { deps, calls } = stageOf('none', 'mail');
    assert.equal(await removeEmail(deps, { userId: asUserId('ann'), language: 'de' }), false);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['bindings.removeEmail'],
    );
  });

  it('removing the address of an account without a number is refused, and wakes nobody', async () => {
    const { deps, calls } = stageOf('last', 'mail');
    assert.deepEqual(await failureOf(removeEmail(deps, { userId: asUserId('ann'), language: 'de' })), [
      'LAST_WAY_IN',
      {},
    ]);
    assert.equal(calls.length, 1);
  });
});
