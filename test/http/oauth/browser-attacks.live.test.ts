// Attacks through the browser of a user: forged tickets, consent and sign-out by a foreign page, frames, and what stays behind.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type AuthorizationTicket, writeAuthorizationTicket } from '../../../src/apps/requests/authorization-ticket.ts';
import { seal } from '../../../src/kernel/crypto/seal.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { encode } from '../../helpers/people/oauth.ts';
import { me, outcomeOf } from '../../helpers/people/users.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { attackedSettings, page, partner, serviceSecret, shop, shopLogoutUri } from './attacks/apps.ts';
import {
  type Answer,
  authorize,
  type Browser,
  challenge,
  consent,
  issuerOf,
  openBrowser,
  type Parameters,
  send,
  signInTo,
  type Tokens,
  ticketIn,
} from './attacks/attack.ts';
import { assertErrorPage, assertSafe } from './attacks/expectations.ts';
import { forgeries, signedWith } from './attacks/forge.ts';

describe('attacks through the browser', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', attackedSettings);
  let browser: Browser;
  let tokens: Tokens;
  before(async () => {
    browser = await openBrowser(stage);
    tokens = await signInTo(stage, shop, browser);
  });

  const request: AuthorizationTicket['request'] = {
    appId: shop.id,
    redirectUri: shop.redirectUri,
    scopes: ['openid'],
    state: undefined,
    nonce: undefined,
    challenge,
    prompt: undefined,
    maxAgeSeconds: undefined,
    uiLocales: undefined,
    loginHint: undefined,
  };
  const ticketOf = (changes: Partial<typeof request>, secret = serviceSecret) =>
    writeAuthorizationTicket(createSecrets(secret), {
      request: { ...request, ...changes },
      startedAt: stage.clock.now(),
    });
  const goOn = (ticket: string, more = '') =>
    send(stage, `/oauth/authorize?ticket=${encodeURIComponent(ticket)}${more}`, {
      headers: { cookie: browser.cookie },
    });

  it('a ticket that is forged, changed, sealed for something else or by another service shows an error page', async () => {
    const genuine = ticketOf({});
    assert.equal((await goOn(genuine)).status, 303);
    const text = Buffer.from(JSON.stringify({ request, startedAt: stage.clock.now() }));
    const forged = {
      nonsense: 'a.b.c',
      nothing: '',
      'one letter changed': genuine.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'a part cut off': genuine.slice(0, -8),
      'another purpose': seal(createSecrets(serviceSecret), 'single sign-on', text),
      'another service': ticketOf({}, 'the-secret-of-another-service-0123456789'),
      'no encryption': text.toString('base64url'),
      'too long': 'a'.repeat(7000),
    };
    for (const [what, ticket] of Object.entries(forged)) {
      assertErrorPage(await goOn(ticket), what);
      assertErrorPage(await goOn(ticket, '&answer=deny'), `${what}, denied`);
    }
  });

  it('a ticket of an app or an address that is listed no more shows an error page', async () => {
    assertErrorPage(await goOn(ticketOf({ appId: 'gone' })), 'the app');
    assertErrorPage(await goOn(ticketOf({ redirectUri: 'https://shop.example/gone' })), 'the address');
    assertErrorPage(await goOn(ticketOf({ appId: page.id })), 'another app');
  });

  it('a ticket is good for an hour, and a denial sends the browser to the app of the ticket only', async () => {
    const ticket = ticketOf({});
    const { status, location } = await goOn(ticket, '&answer=deny&redirect_uri=https://evil.example/&state=evil');
    assert.deepEqual([status, location?.origin], [303, 'https://shop.example']);
    assert.equal(location?.searchParams.get('error'), 'access_denied');
    assert.equal(location?.searchParams.has('state'), false);
    stage.clock.advance(3600);
    assertErrorPage(await goOn(ticket), 'after an hour');
    browser = await openBrowser(stage, browser.phone);
    tokens = await signInTo(stage, shop, browser);
  });

  it('a foreign page, a stranger and an app cannot consent for the user', async () => {
    const ticket = ticketIn(await authorize(stage, partner, {}, browser));
    const { cookie } = browser;
    for (const origin of ['https://evil.example', 'https://partner.example', 'null'])
      assert.equal(outcomeOf(await consent(stage, ticket, { cookie, origin })), '403 CSRF_REJECTED', origin);
    assert.equal(
      outcomeOf(await consent(stage, ticket, { cookie, 'sec-fetch-site': 'cross-site' })),
      '403 CSRF_REJECTED',
    );
    assert.equal(outcomeOf(await consent(stage, ticket, {})), '401 ACCESS_TOKEN_MISSING');
    const asApp = await consent(stage, ticket, { authorization: `Bearer ${tokens.accessToken}` });
    assert.equal(outcomeOf(asApp), '403 APP_SCOPE_MISSING');
    for (const forged of ['x', ticketOf({ appId: 'gone' }), ticketOf({}, 'the-secret-of-another-service-0123456789')])
      assert.equal(outcomeOf(await consent(stage, forged, { cookie })), '410 AUTHORIZATION_EXPIRED');
    // Looking at the page allows nothing either.
    assert.equal((await goOn(ticket)).status, 200);
    assert.equal((await goOn(ticket, '&answer=allow&consent=true')).location, undefined);
  });

  it('a consent covers the scopes that were shown, for one user and one app', async () => {
    const other = await openBrowser(stage);
    const silently = { prompt: 'none' };
    const errorOf = ({ location }: Answer) => location?.searchParams.get('error') ?? undefined;
    const ticket = ticketIn(await authorize(stage, partner, { scope: 'openid' }, other));
    assert.equal(outcomeOf(await consent(stage, ticket, { cookie: other.cookie })), '200');
    assert.equal(errorOf(await authorize(stage, partner, { ...silently, scope: 'openid' }, other)), undefined);
    const wider = await authorize(stage, partner, { ...silently, scope: 'openid email' }, other);
    assert.equal(errorOf(wider), 'consent_required');
    assert.equal(
      errorOf(await authorize(stage, partner, { ...silently, scope: 'openid' }, browser)),
      'consent_required',
    );
  });

  it('no page for apps can be framed, cached or named in a Referer, and answers neither', async () => {
    const pages = [
      await authorize(stage, shop, {}),
      await authorize(stage, partner, {}, browser),
      await authorize(stage, shop, { prompt: 'login' }, browser),
      await authorize(stage, shop, {}, browser),
      await goOn('forged'),
      await send(stage, '/oauth/logout', { headers: { cookie: browser.cookie } }),
    ];
    for (const [at, answer] of pages.entries()) assertSafe(answer, String(at));
  });

  const logOut = (parameters: Parameters, cookie = browser.cookie) =>
    send(stage, `/oauth/logout?${encode(parameters)}`, { headers: { cookie } });
  const assertStillIn = async (what: string) => assert.equal((await me(stage.url, browser.JWT)).status, 200, what);

  it('a foreign page signs nobody out without an id token: a page asks first', async () => {
    for (const parameters of [
      {},
      { client_id: shop.id },
      { client_id: shop.id, post_logout_redirect_uri: shopLogoutUri },
    ]) {
      const answer = await logOut(parameters);
      assert.deepEqual([answer.status, answer.location, answer.headers.getSetCookie()], [200, undefined, []]);
      assertSafe(answer, JSON.stringify(parameters));
    }
    const posted = await send(stage, '/oauth/logout', {
      method: 'POST',
      headers: {
        cookie: browser.cookie,
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: encode({ client_id: shop.id }),
    });
    // The browser brings the same question as a GET, with its cookies.
    assert.deepEqual([posted.status, posted.headers.getSetCookie()], [303, []]);
    assert.equal(posted.location?.href, `${stage.url}/oauth/logout?client_id=shop`);
    await assertStillIn('after all of them');
  });

  it('a forged id token, and another token in its place, signs nobody out and redirects nowhere', async () => {
    const hints = {
      ...(await forgeries(stage, tokens.idToken, shop.secret ?? '')),
      'an access token': tokens.accessToken,
      'an access token of this service': browser.JWT,
      'the type of an access token': await signedWith(stage, tokens.idToken, { typ: 'at+jwt' }, {}),
      'another issuer': await signedWith(stage, tokens.idToken, {}, { iss: 'https://evil.example' }),
      'an unknown app': await signedWith(stage, tokens.idToken, {}, { aud: 'evil' }),
      'this service as the app': await signedWith(stage, tokens.idToken, {}, { aud: issuerOf(stage) }),
      'two apps': await signedWith(stage, tokens.idToken, {}, { aud: [shop.id, page.id] }),
    };
    for (const [what, hint] of Object.entries(hints)) {
      const answer = await logOut({ id_token_hint: hint, post_logout_redirect_uri: shopLogoutUri, state: 'x' });
      assert.ok([200, 400].includes(answer.status), `${what}: ${answer.status}`);
      assert.deepEqual([answer.location, answer.headers.getSetCookie()], [undefined, []], what);
      await assertStillIn(what);
    }
  });

  it('the id token of another session signs this one out only after a question', async () => {
    const other = await openBrowser(stage);
    const { idToken } = await signInTo(stage, shop, other);
    const answer = await logOut({ id_token_hint: idToken });
    assert.deepEqual([answer.status, answer.location], [200, undefined]);
    await assertStillIn('the user of the browser');
    assert.equal((await me(stage.url, other.JWT)).status, 200);
  });

  it('a sign-out goes to no address that the app does not list, and signs nobody out then', async () => {
    const foreign = [
      'https://evil.example/',
      'https://shop.example/',
      `${shopLogoutUri}/`,
      `${shopLogoutUri}?x=1`,
      `${shopLogoutUri}#x`,
      'https://shop.example.evil.example/bye',
      'https://shop.example@evil.example/bye',
      'https://SHOP.example/bye',
      'javascript:alert(1)',
      '//evil.example',
      shop.redirectUri,
      'https://page.example/bye',
    ];
    for (const uri of foreign) {
      const query = { id_token_hint: tokens.idToken, post_logout_redirect_uri: uri };
      assertErrorPage(await logOut(query), uri);
      assertErrorPage(await logOut({ client_id: shop.id, post_logout_redirect_uri: uri }), uri);
      assertErrorPage(await logOut({ ...query, post_logout_redirect_uri: [shopLogoutUri, uri] }), `two: ${uri}`);
    }
    assertErrorPage(await logOut({ post_logout_redirect_uri: shopLogoutUri }), 'no app');
    const mismatch = { id_token_hint: tokens.idToken, client_id: page.id };
    assertErrorPage(await logOut({ ...mismatch, post_logout_redirect_uri: shopLogoutUri }), 'two apps');
    await assertStillIn('after all of them');
  });

  it('the right id token signs out and goes to the listed address with the state', async () => {
    const state = 'x&y=z#"';
    const answer = await logOut({ id_token_hint: tokens.idToken, post_logout_redirect_uri: shopLogoutUri, state });
    assert.deepEqual([answer.status, answer.location?.origin], [303, 'https://shop.example']);
    assert.deepEqual([...(answer.location?.searchParams ?? [])], [['state', state]]);
    assert.equal((await me(stage.url, browser.JWT)).status, 401);
  });
});
