// The rules of claiming a number: who gets it, who is notified, and what is written down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareMailNotice } from '../../../src/auth/notices/notice.ts';
import { type ClaimedAccount, judgeClaim, lostEvent, lostNotice } from '../../../src/auth/sign-in/phone-claim.ts';
import type { PhoneClaim } from '../../../src/auth/sign-in/sign-in.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionDraft } from '../../helpers/store/fixtures.ts';

const secrets = createSecrets('the secret '.repeat(4));
const phone = asPhone('+491510000001');
const notice = prepareMailNotice(secrets, 'phone-lost', { language: 'de', now: noon });
const claim: PhoneClaim = {
  ticket: { userId: asUserId('old'), phone, lastUse: noon - 9 },
  isSignupOpen: true,
  newUserId: asUserId('new'),
  session: sessionDraft(noon),
  notice,
};

describe('a claim of a number', () => {
  const account: ClaimedAccount = { phone, email: asEmail('Ann@b.c'), isBlocked: false, lastUse: noon - 9 };
  const cases: [what: string, changes: Partial<ClaimedAccount> | undefined, isSignupOpen: boolean, expected: string][] =
    [
      ['of an account as the ticket saw it', {}, true, 'claimed'],
      ['of an account whose last use an older node removed', { lastUse: noon - 10 }, true, 'claimed'],
      ['while sign-up is closed', {}, false, 'closed'],
      ['of an account that was used since', { lastUse: noon - 8 }, true, 'lost'],
      ['of an account that was used since, while sign-up is closed', { lastUse: noon - 8 }, false, 'lost'],
      ['of an account that was deleted', undefined, true, 'lost'],
      ['of an account with another number', { phone: asPhone('+491510000002') }, true, 'lost'],
      ['of an account that lost the number already', { phone: undefined }, true, 'lost'],
      ['of an account without an e-mail address', { email: undefined }, true, 'lost'],
      ['of an account that was blocked since', { isBlocked: true }, true, 'blocked'],
      ['of a blocked account that was used since', { isBlocked: true, lastUse: noon }, true, 'lost'],
    ];
  for (const [what, changes, isSignupOpen, expected] of cases) {
    it(`${what}: ${expected}`, () =>
      assert.equal(judgeClaim(changes && { ...account, ...changes }, { ...claim, isSignupOpen }), expected));
  }

  it('a claim tells the address of the old account, which is named by its masked number', () => {
    const { userId, message, tokenHash } = lostNotice(claim, asEmail('Ann@b.c'));
    assert.deepEqual([userId, tokenHash], ['old', notice.tokenHash]);
    assert.deepEqual(message.payload, { ...notice.message.payload, to: 'Ann@b.c', account: '+49•••01' });
  });

  it('a claim writes down which account lost the number, with the number masked', () => {
    assert.deepEqual(lostEvent(claim), { kind: 'phone.lost', userId: 'old', detail: { old: '+49•••01' }, now: noon });
  });
});
