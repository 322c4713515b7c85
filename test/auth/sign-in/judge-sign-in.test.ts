// The rules of signing in: who is refused, who becomes a user, and what is written down.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LinkRecord } from '../../../src/auth/links/login-link.ts';
import { draftNotice, writeMailNotice } from '../../../src/auth/notices/notice.ts';
import {
  judgeLinkSignIn,
  judgePhoneSignIn,
  newDeviceNotices,
  refusedSignInEvent,
  signedInEvent,
  signedUpEvent,
} from '../../../src/auth/sign-in/judge-sign-in.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { maskPhone } from '../../../src/kernel/text/mask.ts';
import { asEmail, asEmailKey, asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionDraft } from '../../helpers/store/fixtures.ts';

const secrets = createSecrets('the secret '.repeat(4));

describe('a phone sign-in with a proved code', () => {
  const recycledSeconds = 100;
  const known = { isBlocked: false, hasEmail: true, lastUse: noon - 100_000 };
  const unused = { ...known, lastUse: known.lastUse - 1 };
  const blocked = { ...known, isBlocked: true };
  const cases: [who: string, user: typeof known | undefined, isSignupOpen: boolean, expected: string][] = [
    ['of a new number', undefined, true, 'sign up'],
    ['of a new number while sign-up is closed', undefined, false, 'closed'],
    ['of a user', known, true, 'sign in'],
    ['of a user while sign-up is closed', known, false, 'sign in'],
    ['of a blocked user', blocked, true, 'blocked'],
    ['of a blocked user while sign-up is closed', blocked, false, 'blocked'],
    ['of an account unused for long', unused, true, 'needs proof'],
    ['of an account unused for long while sign-up is closed', unused, false, 'needs proof'],
    ['of an account unused for long without an e-mail address', { ...unused, hasEmail: false }, true, 'sign in'],
    ['of a blocked account unused for long', { ...unused, isBlocked: true }, true, 'blocked'],
  ];
  for (const [who, user, isSignupOpen, expected] of cases) {
    it(`${who}: ${expected}`, () =>
      assert.equal(judgePhoneSignIn({ known: user, isSignupOpen, recycledSeconds, now: noon }), expected));
  }
});

describe('a sign-in by link', () => {
  const link: LinkRecord = { state: 'issued', emailKey: asEmailKey('a@b.c'), expiresAt: noon + 1 };
  const user = { emailKey: asEmailKey('a@b.c'), isBlocked: false };
  const input = { link, user, hasUsedLink: false, now: noon };
  const cases: [what: string, changes: Partial<Parameters<typeof judgeLinkSignIn>[0]>, expected: string][] = [
    ['with a valid link', {}, 'sign in'],
    ['with an unknown link', { link: undefined }, 'lost'],
    ['of a deleted user', { user: undefined }, 'lost'],
    ['at its end', { now: link.expiresAt }, 'expired'],
    ['after another link of the user in the same commit', { hasUsedLink: true }, 'lost'],
    ['after another link, at its end', { hasUsedLink: true, now: link.expiresAt }, 'lost'],
    ['of a blocked user', { user: { ...user, isBlocked: true } }, 'blocked'],
    [
      'of a blocked user with a used link',
      { user: { ...user, isBlocked: true }, link: { ...link, state: 'consumed' } },
      'lost',
    ],
  ];
  for (const [what, changes, expected] of cases) {
    it(`${what}: ${expected}`, () => assert.equal(judgeLinkSignIn({ ...input, ...changes }), expected));
  }
});

const notice = draftNotice(secrets, { language: 'de', now: noon, device: 'Firefox · Linux' });
const deviceOf = (knownUserId: UserId | undefined) => ({ knownUserId, isReported: true, notice });

describe('a sign-in on a new device', () => {
  const user = { id: asUserId('user'), phone: asPhone('+4915112345678'), email: asEmail('Ann@b.c') };
  const noticeCases: [what: string, Parameters<typeof newDeviceNotices>, count: number][] = [
    ['a device without a token is reported', [user, deviceOf(undefined)], 1],
    ['a device of another user is reported', [user, deviceOf(asUserId('other'))], 1],
    ['a known device is not reported', [user, deviceOf(asUserId('user'))], 0],
    ['a user without an address is not notified', [{ ...user, email: undefined }, deviceOf(undefined)], 0],
    ['nobody is notified where notices are off', [user, { ...deviceOf(undefined), isReported: false }], 0],
    ['nobody is notified without a device', [user, undefined], 0],
  ];
  for (const [what, given, count] of noticeCases)
    it(`${what} by mail`, () => assert.equal(newDeviceNotices(...given).length, count));

  it('the notice of a new device goes to the bound address and names the account by its masked number', () => {
    const [sent] = newDeviceNotices(user, deviceOf(undefined));
    assert.equal(sent?.userId, 'user');
    const { tokenHash, message } = writeMailNotice(notice, 'new-device');
    assert.equal(sent?.tokenHash, tokenHash);
    const { payload } = message;
    assert.deepEqual(sent?.message.payload, { ...payload, to: 'Ann@b.c', account: maskPhone(user.phone) });
    assert.deepEqual([payload.topic, payload.device, payload.at], ['new-device', 'Firefox · Linux', noon]);
  });
});

describe('the events of sign-ins', () => {
  const draft = sessionDraft(noon, { id: asSessionId('session'), method: 'sms', ip: '192.0.2.1' });

  it('name the session, the method and the address of the caller', () => {
    const event = (device: 'known' | 'new') => ({
      kind: 'login.succeeded',
      userId: 'user',
      detail: { method: 'sms', session: 'session', ip: '192.0.2.1', device },
      now: noon,
    });
    assert.deepEqual(signedInEvent(draft, asUserId('user')), event('new'));
    assert.deepEqual(signedInEvent(draft, asUserId('user'), deviceOf(asUserId('other'))), event('new'));
    assert.deepEqual(signedInEvent(draft, asUserId('user'), deviceOf(asUserId('user'))), event('known'));
  });

  it('name the reason of a refusal, and the user where there is one', () => {
    const detail = { method: 'sms', ip: '192.0.2.1' };
    assert.deepEqual(refusedSignInEvent(draft, 'blocked', asUserId('user')), {
      kind: 'login.refused',
      userId: 'user',
      detail: { reason: 'blocked', ...detail },
      now: noon,
    });
    assert.deepEqual(refusedSignInEvent(draft, 'closed'), {
      kind: 'login.refused',
      detail: { reason: 'closed', ...detail },
      now: noon,
    });
  });

  it('mask the number of a new user', () => {
    assert.deepEqual(signedUpEvent(asUserId('user'), asPhone('+491510000001'), noon), {
      kind: 'user.created',
      userId: 'user',
      detail: { phone: '+49•••01' },
      now: noon,
    });
  });
});
