// Tokens in the wrong hands or places: forged, of another kind, of another app, used again, or for more than they allow.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { allLines } from '../../../scripts/site/all-lines.ts';
import { postAs, postForm } from '../../helpers/people/oauth.ts';
import { createServiceKey } from '../../helpers/people/service-keys.ts';
import { me, outcomeOf } from '../../helpers/people/users.ts';
import { call, refresh } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { attackedSettings, page, partner, shop } from './attacks/apps.ts';
import {
  authorize,
  type Browser,
  basic,
  codeFor,
  consent,
  exchange,
  issuerOf,
  openBrowser,
  refreshAs,
  send,
  signInTo,
  type Tokens,
  ticketIn,
  tokensIn,
  userinfo,
} from './attacks/attack.ts';
import { assertRefused } from './attacks/expectations.ts';
import { forgeries, partsOf, signedWith } from './attacks/forge.ts';

describe('attacks with tokens', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', attackedSettings);
  let browser: Browser;
  let tokens: Tokens;
  before(async () => {
    browser = await openBrowser(stage);
    tokens = await signInTo(stage, shop, browser);
  });

  const assertInvalid = async (token: string, what: string) => {
    const { status, headers } = await userinfo(stage, token);
    assert.equal(status, 401, what);
    assert.match(String(headers.get('www-authenticate')), /^Bearer .*error="invalid_token"/, what);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await me(stage.url, token)).status, 401, what);
  };

  it('a forged access token opens neither userinfo nor a call of the service', async () => {
    for (const [what, token] of Object.entries(await forgeries(stage, tokens.accessToken, shop.secret ?? '')))
      await assertInvalid(token, what);
  });

  it('an access token that is well signed with a wrong type, issuer, audience or time is refused', async () => {
    const past = Math.floor(stage.clock.now() / 1000) - 3600;
    for (const [what, header, claims] of [
      ['the type of an id token', { typ: 'JWT' }, {}],
      ['the type of a logout token', { typ: 'logout+jwt' }, {}],
      ['another issuer', {}, { iss: 'https://evil.example' }],
      ['another audience', {}, { aud: 'https://evil.example' }],
      ['the app as the audience', {}, { aud: shop.id }],
      ['two audiences', {}, { aud: [issuerOf(stage), shop.id] }],
      ['an end in the past', {}, { exp: past }],
      ['no end', {}, { exp: undefined }],
    ] as const)
      await assertInvalid(await signedWith(stage, tokens.accessToken, header, claims), what);
  });

  it('an id token, a refresh token and a code are no access tokens', async () => {
    const code = await codeFor(stage, shop, browser);
    for (const token of [tokens.idToken, tokens.refreshToken, code, browser.RT])
      await assertInvalid(token, token.slice(0, 9));
    const headers = { cookie: `JWT=${tokens.idToken}` };
    assert.equal(outcomeOf(await call(stage.url, 'GET', '/api/auth/me', { headers })), '401 ACCESS_TOKEN_INVALID');
  });

  it('an access token is read from its header or a form, once, and never from the address or a cookie', async () => {
    const { accessToken: token } = tokens;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [what, path, init] of [
      ['the query', `?access_token=${token}`, {}],
      ['another scheme', '', { headers: { authorization: `Token ${token}` } }],
      ['no scheme', '', { headers: { authorization: token } }],
      ['a cookie', '', { headers: { cookie: `JWT=${token}` } }],
      ['the cookie of the browser', '', { headers: { cookie: browser.cookie } }],
    ] as const)
      assert.equal((await send(stage, `/oauth/userinfo${path}`, init)).status, 401, what);
    const bearer = { ...form, authorization: `Bearer ${token}` };
    for (const [body, headers, status] of [
      [`access_token=${token}`, form, 200],
      [`access_token=${token}`, bearer, 400],
      [`access_token=${token}&access_token=${token}`, form, 400],
    ] as const)
      assert.equal((await send(stage, '/oauth/userinfo', { method: 'POST', headers, body })).status, status);
  });

  it('a token of this service is no token of an app', async () => {
    const { status, headers } = await userinfo(stage, browser.JWT);
    assert.equal(status, 403);
    assert.match(String(headers.get('www-authenticate')), /error="insufficient_scope"/);
  });

  it('the token of an app opens no call about the account, and calls about files only with the scope', async () => {
    const without = await signInTo(stage, page, browser);
    for (const { method, path, tag, guards } of allLines().filter((line) => line.path.startsWith('/api/'))) {
      if (!guards.includes('access')) continue;
      const ask = async (token: string) => {
        const reply = await fetch(`${stage.url}${path.replaceAll(/:\w+/g, 'x')}?probe=%00`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: '{}' }),
        });
        return ((await reply.json()) as { codeError: string }).codeError;
      };
      assert.equal(await ask(without.accessToken), 'APP_SCOPE_MISSING', `${method} ${path}`);
      assert.equal((await ask(tokens.accessToken)) === 'APP_SCOPE_MISSING', tag !== 'file', `${method} ${path}`);
    }
  });

  it('the token of an app in the cookie of this service signs nobody in, neither here nor for another app', async () => {
    const cookie = `JWT=${tokens.accessToken}`;
    assert.equal(
      outcomeOf(await call(stage.url, 'GET', '/api/auth/me', { headers: { cookie } })),
      '403 APP_SCOPE_MISSING',
    );
    const { location } = await authorize(stage, page, { prompt: 'none' }, { cookie });
    assert.equal(location?.searchParams.get('error'), 'login_required');
  });

  it('the token of somebody else’s app has another audience, so that no back end takes it for the user', async () => {
    const asked = await authorize(stage, partner, {}, browser);
    assert.equal(outcomeOf(await consent(stage, ticketIn(asked), { cookie: browser.cookie })), '200');
    const { accessToken, idToken } = await signInTo(stage, partner, browser);
    assert.equal(partsOf(accessToken).claims.aud, `${issuerOf(stage)}/oauth/userinfo`);
    assert.equal(partsOf(idToken).claims.aud, partner.id);
    assert.equal((await userinfo(stage, accessToken)).status, 200);
    assert.notEqual((await me(stage.url, accessToken)).status, 200);
    assert.notEqual((await call(stage.url, 'GET', '/api/file', { token: accessToken })).status, 200);
    const key = await createServiceKey(stage);
    const check = async (token: string) =>
      (await call(stage.url, 'POST', '/api/service/tokens/check', { token: key, body: { token } })).body.data;
    assert.deepEqual(await check(accessToken), { active: false });
    assert.partialDeepStrictEqual(await check(tokens.accessToken), { active: true, clientId: shop.id });
  });

  it('a refresh token works for its own app only, and a try of another app harms nothing', async () => {
    const { refreshToken } = await signInTo(stage, page, browser);
    assertRefused(await refreshAs(stage, shop, refreshToken), 'invalid_grant', 'another app');
    assertRefused(await refreshAs(stage, partner, refreshToken), 'invalid_grant', 'somebody else’s app');
    assert.equal(outcomeOf(await refresh(stage.url, refreshToken)), '401 REFRESH_TOKEN_INVALID');
    const headers = { cookie: `RT=${refreshToken}` };
    assert.equal(
      outcomeOf(await call(stage.url, 'POST', '/api/auth/refresh-token', { headers })),
      '401 REFRESH_TOKEN_INVALID',
    );
    assert.equal((await refreshAs(stage, page, refreshToken)).status, 200);
  });

  it('a refresh token of this service gives an app nothing, and goes on working here', async () => {
    const { RT } = await openBrowser(stage);
    for (const app of [shop, page]) assertRefused(await refreshAs(stage, app, RT), 'invalid_grant', app.id);
    assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
  });

  it('a refresh token that is used again late ends the session, unless it is the app that lost the answer', async () => {
    const first = await signInTo(stage, page, browser);
    const second = tokensIn(await refreshAs(stage, page, first.refreshToken));
    for (const seconds of [0, 31, 45]) {
      stage.clock.advance(seconds);
      const repeated = tokensIn(await refreshAs(stage, page, first.refreshToken));
      assert.equal(repeated.refreshToken, second.refreshToken);
    }
    const form = { client_id: page.id, grant_type: 'refresh_token', refresh_token: first.refreshToken };
    assertRefused(
      await postForm(stage.url, '/oauth/token', form, { 'user-agent': 'a thief' }),
      'invalid_grant',
      'late',
    );
    assertRefused(await refreshAs(stage, page, second.refreshToken), 'invalid_grant', 'its successor');
    assert.equal((await userinfo(stage, second.accessToken)).status, 401);
  });

  it('an app with a secret that lost an answer gets it again late, from another of its servers', async () => {
    const first = await signInTo(stage, shop, browser);
    const second = tokensIn(await refreshAs(stage, shop, first.refreshToken));
    stage.clock.advance(45);
    const form = { grant_type: 'refresh_token', refresh_token: first.refreshToken };
    const headers = { ...basic(shop.id, shop.secret ?? ''), 'user-agent': 'another server' };
    const repeated = tokensIn(await postForm(stage.url, '/oauth/token', form, headers));
    assert.equal(repeated.refreshToken, second.refreshToken);
  });

  it('a refresh cannot widen the scope, and a narrower one is for one token only', async () => {
    const { refreshToken } = await signInTo(stage, shop, browser, { scope: 'openid phone' });
    for (const scope of ['openid files', 'openid phone email', 'openid phone admin'])
      assertRefused(await refreshAs(stage, shop, refreshToken, { scope }), 'invalid_scope', scope);
    const narrow = await refreshAs(stage, shop, refreshToken, { scope: 'openid' });
    assert.deepEqual([narrow.body.scope, narrow.body.id_token], ['openid', undefined]);
    const again = await refreshAs(stage, shop, tokensIn(narrow).refreshToken);
    assert.equal(again.body.scope, 'openid phone');
  });

  it('a broken refresh token, or two, is refused', async () => {
    for (const token of ['x', tokens.accessToken, tokens.idToken, `${tokens.refreshToken}A`, 'r'.repeat(5000)]) {
      const { status, body } = await refreshAs(stage, shop, token);
      assert.ok(status === 400 && /^invalid_(grant|request)$/.test(String(body.error)), token.slice(0, 9));
    }
    const two = { refresh_token: [tokens.refreshToken, tokens.refreshToken] };
    assertRefused(await refreshAs(stage, shop, '', two), 'invalid_request', 'two');
    assertRefused(
      await postAs(stage.url, shop, '/oauth/token', { grant_type: 'refresh_token' }),
      'invalid_request',
      'none',
    );
  });

  it('an app revokes its own tokens only, and an unknown token tells it nothing', async () => {
    const own = await signInTo(stage, page, browser);
    for (const token of [own.refreshToken, own.accessToken, browser.RT, browser.JWT, 'unknown', tokens.idToken]) {
      const { status } = await postAs(stage.url, shop, '/oauth/revoke', { token });
      assert.equal(status, 200, token.slice(0, 9));
    }
    assert.equal((await userinfo(stage, own.accessToken)).status, 200);
    assert.equal((await me(stage.url, browser.JWT)).status, 200);
    assert.equal((await userinfo(stage, tokens.accessToken)).status, 200);
    const stranger = await postAs(stage.url, { ...shop, secret: 'wrong' }, '/oauth/revoke', {
      token: tokens.refreshToken,
    });
    assertRefused(stranger, 'invalid_client', 'a wrong secret', 401);
    assert.equal((await postAs(stage.url, page, '/oauth/revoke', { token: own.refreshToken })).status, 200);
    assert.equal((await userinfo(stage, own.accessToken)).status, 401);
    assertRefused(await refreshAs(stage, page, own.refreshToken), 'invalid_grant', 'revoked');
  });

  it('a sign-out here ends apps without offline_access, and ending the session ends all', async () => {
    for (const [act, survives] of [
      ['logout', true],
      ['revoke', false],
    ] as const) {
      const other = await openBrowser(stage);
      const bound = await signInTo(stage, page, other);
      const offline = tokensIn(await exchange(stage, shop, await codeFor(stage, shop, other)));
      if (act === 'logout')
        assert.equal(outcomeOf(await call(stage.url, 'POST', '/api/auth/logout', { token: other.JWT })), '200');
      else {
        const { sid } = partsOf(other.JWT).claims;
        const second = await openBrowser(stage, other.phone);
        const path = `/api/auth/sessions/${sid}`;
        assert.equal(outcomeOf(await call(stage.url, 'DELETE', path, { token: second.JWT })), '200');
      }
      assert.equal((await userinfo(stage, bound.accessToken)).status, 401, act);
      assert.equal((await userinfo(stage, offline.accessToken)).status, survives ? 200 : 401, act);
      assert.equal((await refreshAs(stage, shop, offline.refreshToken)).status, survives ? 200 : 400, act);
    }
  });
});
