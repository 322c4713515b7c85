// The rules of signing in: who is refused, who becomes a user, and what is written down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  judgeLinkSignIn,
  judgePhoneSignIn,
  refusedSignInEvent,
  signedInEvent,
  signedUpEvent,
} from '../../src/auth/judge-sign-in.ts';
import type { LinkRecord } from '../../src/auth/login-link.ts';
import { noon, sessionDraft } from '../helpers/store/fixtures.ts';

describe('a phone sign-in with a proved code', () => {
  const known = { isBlocked: false };
  const blocked = { isBlocked: true };
  const cases: [who: string, user: typeof known | undefined, isSignupOpen: boolean, expected: string][] = [
    ['of a new number', undefined, true, 'sign up'],
    ['of a new number while sign-up is closed', undefined, false, 'closed'],
    ['of a user', known, true, 'sign in'],
    ['of a user while sign-up is closed', known, false, 'sign in'],
    ['of a blocked user', blocked, true, 'blocked'],
    ['of a blocked user while sign-up is closed', blocked, false, 'blocked'],
  ];
  for (const [who, user, isSignupOpen, expected] of cases) {
    it(`${who}: ${expected}`, () => assert.equal(judgePhoneSignIn({ known: user, isSignupOpen }), expected));
  }
});

describe('a sign-in by link', () => {
  const link: LinkRecord = { state: 'issued', emailKey: 'a@b.c', expiresAt: noon + 1 };
  const user = { emailKey: 'a@b.c', isBlocked: false };
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

describe('the events of sign-ins', () => {
  const draft = sessionDraft(noon, { id: 'session', method: 'sms', ip: '192.0.2.1' });

  it('name the session, the method and the address of the caller', () => {
    assert.deepEqual(signedInEvent(draft, 'user'), {
      kind: 'login.succeeded',
      userId: 'user',
      detail: { method: 'sms', session: 'session', ip: '192.0.2.1' },
      now: noon,
    });
  });

  it('name the reason of a refusal, and the user where there is one', () => {
    const detail = { method: 'sms', ip: '192.0.2.1' };
    assert.deepEqual(refusedSignInEvent(draft, 'blocked', 'user'), {
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
    assert.deepEqual(signedUpEvent('user', '+491510000001', noon), {
      kind: 'user.created',
      userId: 'user',
      detail: { phone: '+49•••01' },
      now: noon,
    });
  });
});
