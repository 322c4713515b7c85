// The rules of codes of apps: who gets one, what it is worth, and its second use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authorization, CodeExchange, Consent } from '../../../src/apps/app-store.ts';
import {
  type AuthorizingSession,
  appSignedInEvent,
  codeKeptUntil,
  codeReusedEvent,
  type ExchangeVerdict,
  judgeAuthorization,
  judgeExchange,
  type StoredCode,
} from '../../../src/apps/tokens/app-code.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { authorization, exchange } from '../../helpers/store/app-fixtures.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('who gets a code', () => {
  const session: AuthorizingSession = {
    proof: 'sms',
    provedAt: noon - 10,
    expiresAt: noon + 1,
    hasEnded: false,
    isOfApp: false,
    isUserFree: true,
  };
  const consent: Consent = { appId: 'shop', scopes: ['openid', 'phone'], createdAt: noon - 5 };
  const cases: [what: string, Partial<AuthorizingSession>, Partial<Authorization>, expected: string][] = [
    ['a live session', {}, {}, 'issued'],
    ['a session that has ended', { hasEnded: true }, {}, 'signed out'],
    ['a session that has expired', { expiresAt: noon }, {}, 'signed out'],
    ['a session of an app', { isOfApp: true }, {}, 'signed out'],
    ['a blocked user', { isUserFree: false }, {}, 'signed out'],
    ['a proof that is recent enough', {}, { provedAfter: noon - 10 }, 'issued'],
    ['a proof that is too old', {}, { provedAfter: noon - 9 }, 'needs proof'],
    ['a consent that is recent enough', {}, { consentedAfter: noon - 5 }, 'issued'],
    ['a consent that is too old', {}, { consentedAfter: noon - 4 }, 'needs consent'],
    ['a consent to less', {}, { consentedAfter: 0, scopes: ['openid', 'email'] }, 'needs consent'],
    ['a proof for this request', {}, { actedAfter: noon - 10 }, 'issued'],
    ['a consent for this request', {}, { actedAfter: noon - 5 }, 'issued'],
    ['neither proof nor consent for this request', {}, { actedAfter: noon - 4 }, 'needs consent'],
    ['an old proof before a missing consent', {}, { provedAfter: noon, consentedAfter: noon }, 'needs proof'],
  ];
  for (const [what, changes, asked, expected] of cases) {
    it(`${what} is answered “${expected}”`, () => {
      const given = authorization('s', noon, asked);
      assert.equal(judgeAuthorization({ ...session, ...changes }, consent, given), expected);
    });
  }

  it('without a session the user is signed out, and without any consent it is needed', () => {
    assert.equal(judgeAuthorization(undefined, consent, authorization('s', noon)), 'signed out');
    const asked = authorization('s', noon, { consentedAfter: 0 });
    assert.equal(judgeAuthorization(session, undefined, asked), 'needs consent');
  });
});

describe('what a code is worth', () => {
  const given = exchange('hash', noon);
  const code: StoredCode = { ...given, expiresAt: noon + 1, usedAt: null, sessionId: null };
  const usedUp: ExchangeVerdict = { kind: 'refused', usesUp: true };
  const cases: [what: string, Partial<StoredCode>, Partial<CodeExchange>, ExchangeVerdict][] = [
    ['a good code', {}, {}, { kind: 'start' }],
    ['a code of another app', {}, { appId: 'other' }, usedUp],
    ['a code for another address', {}, { redirectUri: 'other' }, usedUp],
    ['a code with another verifier', {}, { challenge: 'other' }, usedUp],
    ['a late code', { expiresAt: noon }, {}, usedUp],
    [
      'a used code',
      { usedAt: noon, sessionId: asSessionId('given') },
      {},
      { kind: 'reused', sessionId: asSessionId('given') },
    ],
    [
      'a used code from another app',
      { usedAt: noon, sessionId: asSessionId('given') },
      { appId: 'other' },
      { kind: 'reused', sessionId: asSessionId('given') },
    ],
    ['a code that gave nothing', { usedAt: noon }, {}, { kind: 'refused', usesUp: false }],
  ];
  for (const [what, changes, asked, expected] of cases) {
    it(`${what} is ${expected.kind === 'start' ? 'taken' : expected.kind}`, () => {
      assert.deepEqual(judgeExchange({ ...code, ...changes }, true, { ...given, ...asked }), expected);
    });
  }

  it('a code of a session that has ended is used up, and an unknown code is not there to use up', () => {
    assert.deepEqual(judgeExchange(code, false, given), usedUp);
    assert.deepEqual(judgeExchange(undefined, true, given), { kind: 'refused', usesUp: false });
  });

  it('a code is kept for an hour after its end', () => assert.equal(codeKeptUntil(noon), noon + 3_600_000));

  it('the events name the session, the app and the address', () => {
    const { id, ip } = given.session;
    const detail = { session: id, app: 'shop', ip };
    assert.deepEqual(appSignedInEvent(asUserId('ann'), given), {
      kind: 'app.signed-in',
      userId: 'ann',
      detail,
      now: noon,
    });
    const reused = { kind: 'app.code-reused', userId: 'ann', detail: { ...detail, session: 'old' }, now: noon };
    assert.deepEqual(codeReusedEvent(asUserId('ann'), asSessionId('old'), given), reused);
  });
});
