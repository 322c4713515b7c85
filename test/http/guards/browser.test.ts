// The guard that only the browser in which the user signed in passes: its access token in a cookie, and SSO of the same session.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeSingleSignOn } from '../../../src/apps/single-sign-on.ts';
import { createBrowserGuard, findBrowserSession } from '../../../src/http/guards/browser.ts';
import type { Caller } from '../../../src/http/interface/route.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';

const secrets = createSecrets('the secret of this service, long enough to be one');
const sso = (sessionId: string) => `SSO=${writeSingleSignOn(secrets, asSessionId(sessionId))}`;
const caller: Caller = { userId: asUserId('ann'), sessionId: asSessionId('one'), provedAt: 0, via: 'cookie' };
const guard = createBrowserGuard(secrets);
const requestWith = (cookie: string | undefined) => ({ headers: cookie === undefined ? {} : { cookie } });

describe('the browser guard', () => {
  it('the cookie SSO of the session whose access token is in the cookie JWT passes', () => {
    guard(requestWith(`JWT=x; ${sso('one')}`), caller);
    assert.equal(findBrowserSession(secrets, requestWith(sso('one'))), 'one');
    assert.equal(findBrowserSession(secrets, requestWith('JWT=x')), undefined);
  });

  for (const [what, cookie, who] of [
    ['no caller', sso('one'), undefined],
    ['a token in a header', sso('one'), { ...caller, via: 'header' }],
    ['no cookie', undefined, caller],
    ['an empty SSO', 'SSO=', caller],
    ['the SSO of another session', sso('two'), caller],
    ['a forged SSO', `${sso('one')}x`, caller],
    ['the session id alone', 'SSO=one', caller],
    [
      'the SSO of another service',
      `SSO=${writeSingleSignOn(createSecrets('the secret of another service, as long'), asSessionId('one'))}`,
      caller,
    ],
  ] as const) {
    it(`a request with ${what} is refused`, () => {
      assert.throws(
        () => guard(requestWith(cookie), who),
        (error) => error instanceof Failure && error.code === 'BROWSER_SESSION_REQUIRED',
      );
    });
  }

  it('two different cookies SSO are refused: another host of the domain may have set one', () => {
    assert.throws(
      () => guard(requestWith(`${sso('one')}; ${sso('two')}`), caller),
      (error) => error instanceof Failure && error.code === 'REQUEST_INVALID',
    );
  });
});
