// A whole sign-in for an app over HTTP: code, tokens, refresh, userinfo, revocation and sign-out.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import {
  type AppBrowser,
  appSettings,
  authorize,
  authorizeQuery,
  backend,
  codeFor,
  exchange,
  factsIn,
  locationOf,
  navigate,
  openBrowser,
  postAs,
  publicApp,
  refreshAs,
  signInTo,
  stranger,
} from '../../helpers/people/oauth.ts';
import { call, refresh } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';

describe('a sign-in for an app', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', appSettings);
  let browser: AppBrowser;
  before(async () => {
    browser = await openBrowser(stage.url);
  });
  const issuer = () => `http://localhost:${stage.env.PORT}`;
  const userinfo = async (token: string) => {
    const response = await fetch(`${stage.url}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, headers: response.headers, body: (await response.json()) as object };
  };

  it('a user who is signed in gets back to the app at once, with code, state and issuer', async () => {
    const location = locationOf(await authorize(stage.url, backend, browser));
    assert.equal(location.origin + location.pathname, backend.redirectUri);
    assert.deepEqual([...location.searchParams.keys()], ['code', 'state', 'iss']);
    assert.equal(location.searchParams.get('state'), 'the-state');
    assert.equal(location.searchParams.get('iss'), issuer());
  });

  it('a code gives tokens that say whom, for which app, and what for', async () => {
    const { status, headers, body } = await exchange(stage.url, backend, await codeFor(stage.url, backend, browser));
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(
      [body.token_type, body.scope, body.expires_in],
      ['Bearer', 'openid phone email offline_access files', 900],
    );
    const access = decodeJwt(String(body.access_token));
    assert.deepEqual([access.client_id, access.aud, access.scope], [backend.id, issuer(), body.scope]);
    const id = decodeJwt(String(body.id_token));
    assert.deepEqual([id.aud, id.nonce, id.sid], [backend.id, 'the-nonce', decodeJwt(browser.JWT).sid]);
    assert.equal(id.phone_number, browser.phone);
    assert.equal(headers.get('set-cookie'), null);
  });

  it('userinfo shows what the scopes allow, and only to the token of an app', async () => {
    const { accessToken } = await signInTo(stage.url, publicApp, browser, { scope: 'openid phone' });
    const sub = decodeJwt(accessToken).sub;
    assert.deepEqual((await userinfo(accessToken)).body, {
      sub,
      phone_number: browser.phone,
      phone_number_verified: true,
    });
    const bare = await signInTo(stage.url, publicApp, browser, { scope: 'openid' });
    assert.deepEqual((await userinfo(bare.accessToken)).body, { sub });
    const own = await userinfo(browser.JWT);
    assert.deepEqual([own.status, own.headers.get('www-authenticate')?.includes('insufficient_scope')], [403, true]);
    const none = await userinfo('nonsense');
    assert.deepEqual([none.status, none.headers.get('www-authenticate')?.includes('invalid_token')], [401, true]);
    const form = await postAs(stage.url, publicApp, '/oauth/userinfo', { access_token: accessToken });
    assert.deepEqual([form.status, form.body.sub], [200, sub]);
  });

  it('a refresh token of an app renews its tokens, with fewer scopes on request, and is no good elsewhere', async () => {
    const first = await signInTo(stage.url, backend, browser);
    assert.equal((await refresh(stage.url, first.refreshToken)).body.codeError, 'REFRESH_TOKEN_INVALID');
    const other = await refreshAs(stage.url, publicApp, first.refreshToken);
    assert.deepEqual([other.status, other.body.error], [400, 'invalid_grant']);
    const unknown = await refreshAs(stage.url, backend, first.refreshToken, { scope: 'openid admin' });
    assert.deepEqual([unknown.status, unknown.body.error], [400, 'invalid_scope']);
    const narrow = await refreshAs(stage.url, backend, first.refreshToken, { scope: 'openid profile' });
    assert.deepEqual([narrow.status, narrow.body.scope, narrow.body.id_token], [200, 'openid', undefined]);
    const next = await refreshAs(stage.url, backend, String(narrow.body.refresh_token));
    assert.deepEqual([next.status, next.body.scope], [200, first.scope]);
  });

  it('a revoked token ends the session of the app, and a second revocation is no error', async () => {
    const { accessToken, refreshToken } = await signInTo(stage.url, backend, browser);
    for (const token of [refreshToken, refreshToken, 'unknown'])
      assert.equal((await postAs(stage.url, backend, '/oauth/revoke', { token })).status, 200);
    assert.equal((await userinfo(accessToken)).status, 401);
    assert.equal((await refreshAs(stage.url, backend, refreshToken)).body.error, 'invalid_grant');
  });

  it('the token of an app opens calls about files if it has that scope, and nothing about the account', async () => {
    const { accessToken } = await signInTo(stage.url, backend, browser);
    const narrow = await signInTo(stage.url, backend, browser, { scope: 'openid' });
    assert.equal((await call(stage.url, 'GET', '/api/file', { token: accessToken })).status, 200);
    for (const [token, path] of [
      [narrow.accessToken, '/api/file'],
      [accessToken, '/api/auth/me'],
    ] as const)
      assert.equal((await call(stage.url, 'GET', path, { token })).body.codeError, 'APP_SCOPE_MISSING');
  });

  it('the language switch wins over the language that the app asks for, until the sign-in ends', async () => {
    const first = await authorize(stage.url, backend, undefined, { ui_locales: 'fr' });
    const { authorization } = factsIn(await first.text()) as { authorization: { readonly continueUrl: string } };
    const open = async (url: string) => (await navigate(stage.url, url, 'gatehouse_lang=de')).text();
    assert.match(await open(authorization.continueUrl), /<html lang="fr" dir="ltr">/);
    assert.match(await open(`${authorization.continueUrl}&ui_locales=xx`), /<html lang="fr" dir="ltr">/);
    const switched = await open(`${authorization.continueUrl}&ui_locales=ar`);
    assert.match(switched, /<html lang="ar" dir="rtl">/);
    const { authorization: next } = factsIn(switched) as { authorization: { readonly continueUrl: string } };
    assert.match(await open(next.continueUrl), /<html lang="ar" dir="rtl">/);
  });

  it('a browser that is not signed in gets the sign-in page with the request, in the language that the app asks for', async () => {
    const response = await authorize(stage.url, backend, undefined, { ui_locales: 'xx fr', login_hint: '+1 202' });
    assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-store']);
    const html = await response.text();
    assert.match(html, /<html lang="fr" dir="ltr">/);
    const { authorization } = factsIn(html) as { authorization: Record<string, unknown> };
    assert.equal(authorization.need, 'sign-in');
    assert.equal(authorization.loginHint, '+1 202');
    assert.deepEqual(authorization.app, { id: 'backend', name: 'The back end', logo: null, isFirstParty: true });
    const goOn = await navigate(stage.url, String(authorization.continueUrl), browser.cookie);
    assert.ok(locationOf(goOn).searchParams.has('code'));
    const denied = locationOf(await navigate(stage.url, String(authorization.cancelUrl), browser.cookie));
    assert.deepEqual(
      [denied.searchParams.get('error'), denied.searchParams.get('state')],
      ['access_denied', 'the-state'],
    );
  });

  it('an app that asks for no page learns whether the user must sign in or consent', async () => {
    const error = async (...input: Parameters<typeof authorize>) =>
      locationOf(await authorize(...input)).searchParams.get('error');
    assert.equal(await error(stage.url, backend, undefined, { prompt: 'none' }), 'login_required');
    assert.equal(await error(stage.url, stranger, browser, { prompt: 'none' }), 'consent_required');
    stage.clock.advance(60);
    assert.equal(await error(stage.url, backend, browser, { prompt: 'none', max_age: '30' }), 'login_required');
  });

  it('an app signs its user out with the id token, and the browser goes on to its address', async () => {
    const fresh = await openBrowser(stage.url);
    const { idToken, accessToken } = await signInTo(stage.url, publicApp, fresh, { scope: 'openid phone' });
    const query = new URLSearchParams({
      id_token_hint: idToken,
      post_logout_redirect_uri: 'https://public.example/bye',
      state: 'after',
    });
    const response = await navigate(stage.url, `/oauth/logout?${query}`, fresh.cookie);
    assert.equal(response.headers.get('location'), 'https://public.example/bye?state=after');
    const cleared = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
    assert.deepEqual(cleared, ['JWT=', 'RT=', 'SSO=', 'SSO=']);
    assert.equal((await userinfo(accessToken)).status, 401);
    const again = await authorize(stage.url, publicApp, fresh, { prompt: 'none' });
    assert.equal(locationOf(again).searchParams.get('error'), 'login_required');
  });

  it('a sign-out without a good id token asks first, and never leads to an address that is not listed', async () => {
    const asked = await navigate(stage.url, '/oauth/logout?client_id=public', browser.cookie);
    assert.equal(asked.status, 200);
    const { appSignOut } = factsIn(await asked.text()) as { appSignOut: Record<string, unknown> };
    assert.deepEqual([appSignOut.isSignedOut, appSignOut.continueUrl], [false, null]);
    const query = new URLSearchParams({ client_id: 'public', post_logout_redirect_uri: 'https://evil.example/' });
    const refused = await navigate(stage.url, `/oauth/logout?${query}`, browser.cookie);
    assert.deepEqual([refused.status, refused.headers.get('location')], [400, null]);
    const form = await postAs(stage.url, publicApp, '/oauth/logout', { state: 'x' });
    assert.deepEqual([form.status, form.headers.get('location')], [303, '/oauth/logout?client_id=public&state=x']);
  });

  it('an unknown app or address gets a page and no redirect, and every other error goes to the app', async () => {
    for (const changes of [
      { client_id: 'nobody' },
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: undefined },
    ]) {
      const response = await authorize(stage.url, backend, browser, changes);
      assert.deepEqual([response.status, response.headers.get('location')], [400, null]);
      assert.match(response.headers.get('content-type') ?? '', /text\/html/);
    }
    const twice = await navigate(stage.url, `/oauth/authorize?${authorizeQuery(backend)}&nonce=x`, browser.cookie);
    assert.equal(locationOf(twice).searchParams.get('error'), 'invalid_request');
  });
});
