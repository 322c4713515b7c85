// Open redirects: no answer, and no error, goes to an address that the app does not have.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { encode } from '../../helpers/people/oauth.ts';
import { outcomeOf } from '../../helpers/people/users.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { attackedSettings, page, partner, shop, visitor } from './attacks/apps.ts';
import {
  authorize,
  type Browser,
  consent,
  honestRequest,
  openBrowser,
  type Parameters,
  send,
  ticketIn,
} from './attacks/attack.ts';
import { assertErrorPage } from './attacks/expectations.ts';
import { foreignRedirectUris, ownRedirectUris } from './attacks/redirect-uris.ts';

describe('attacks by redirect URIs', () => {
  const stage = setStage('sqlite', attackedSettings);
  let browser: Browser;
  before(async () => {
    browser = await openBrowser(stage);
  });

  for (const [app, uris] of ownRedirectUris)
    it(`each redirect URI of the app ${app.id} gets a code, with what the URI had before it`, async () => {
      for (const uri of uris) {
        const { status, headers } = await authorize(stage, app, { redirect_uri: uri }, browser);
        const separator = uri.includes('?') ? '&' : '?';
        const location = String(headers.get('location'));
        assert.deepEqual([status, location.startsWith(`${uri}${separator}code=`)], [303, true], location);
      }
    });

  it('a program that takes the scheme of somebody else’s app gets no code unseen: each request needs an act of the user', async () => {
    const ask = (changes: Parameters = {}) => authorize(stage, visitor, changes, browser);
    const silent = await ask({ prompt: 'none' });
    assert.equal(silent.location?.searchParams.get('error'), 'consent_required');
    const goOn = (ticket: string) =>
      send(stage, `/oauth/authorize?${encode({ ticket })}`, { headers: { cookie: browser.cookie } });
    for (const round of ['first', 'second']) {
      const shown = await ask();
      assert.deepEqual([shown.status, shown.location], [200, undefined], round);
      const ticket = ticketIn(shown);
      assert.equal((await goOn(ticket)).status, 200, `${round}, without an act`);
      stage.clock.advance(1);
      assert.equal(outcomeOf(await consent(stage, ticket, { cookie: browser.cookie })), '200');
      const { headers } = await goOn(ticket);
      assert.match(String(headers.get('location')), /^com\.example\.visitor:\/callback\?code=/, round);
    }
  });

  for (const [app, uris] of foreignRedirectUris)
    it(`each of ${uris.length} addresses that resemble one of the app ${app.id} gets an error page and no redirect`, async () => {
      for (const uri of uris) assertErrorPage(await authorize(stage, app, { redirect_uri: uri }, browser), uri);
    });

  it('an error of any kind is never sent to an address that the app does not have', async () => {
    const faults: Parameters[] = [
      { response_type: 'token' },
      { response_type: undefined },
      { scope: undefined },
      { code_challenge: undefined },
      { prompt: 'none' },
      { prompt: 'evil' },
      { request: 'e30.e30.' },
      { state: ['a', 'b'] },
      { response_mode: 'fragment' },
      { max_age: '-1' },
    ];
    for (const fault of faults)
      for (const who of [browser, undefined]) {
        const foreign = { ...fault, redirect_uri: 'https://evil.example/callback' };
        assertErrorPage(await authorize(stage, shop, foreign, who), JSON.stringify(fault));
      }
  });

  const unclear: readonly (readonly [string, Parameters])[] = [
    ['no app', { client_id: undefined }],
    ['an empty app', { client_id: '' }],
    ['an unknown app', { client_id: 'evil' }],
    ['an app in other letters', { client_id: 'SHOP' }],
    ['an app with a space', { client_id: 'shop ' }],
    ['an app with a name of JavaScript', { client_id: '__proto__' }],
    ['an app with a very long name', { client_id: 'e'.repeat(5000) }],
    ['another app than the address belongs to', { client_id: partner.id }],
    ['two apps', { client_id: [shop.id, page.id] }],
    ['the app twice', { client_id: [shop.id, shop.id] }],
    ['no address', { redirect_uri: undefined }],
    ['an empty address', { redirect_uri: '' }],
    ['a foreign address after the right one', { redirect_uri: [shop.redirectUri, 'https://evil.example/'] }],
    ['a foreign address before the right one', { redirect_uri: ['https://evil.example/', shop.redirectUri] }],
    ['the right address twice', { redirect_uri: [shop.redirectUri, shop.redirectUri] }],
    ['two addresses of the app', { redirect_uri: [shop.redirectUri, 'http://127.0.0.1:3000/callback'] }],
    ['a very long address', { redirect_uri: `${shop.redirectUri}${'/e'.repeat(2000)}` }],
  ];
  for (const [what, changes] of unclear)
    it(`a request with ${what} gets an error page and no redirect`, async () => {
      assertErrorPage(await authorize(stage, shop, changes, browser), what);
    });

  it('the names of parameters are exact: no brackets, other letters or spaces name an address', async () => {
    for (const name of ['redirect_uri[]', 'redirect_uri[0]', 'Redirect_Uri', 'redirect_uri ', 'redirect_uri%00']) {
      const query = encode({ ...honestRequest(shop), redirect_uri: undefined, [name]: shop.redirectUri });
      assertErrorPage(await send(stage, `/oauth/authorize?${query}`, { headers: { cookie: browser.cookie } }), name);
    }
  });

  it('a foreign address beside the right one under a similar name is ignored', async () => {
    const more = {
      'redirect_uri[]': 'https://evil.example/',
      next: 'https://evil.example/',
      returnTo: '//evil.example',
    };
    const { status, location } = await authorize(stage, shop, more, browser);
    assert.deepEqual([status, location?.origin], [303, 'https://shop.example']);
  });

  it('a query of more than 8 KiB and a query that is no text are refused without a redirect', async () => {
    const query = encode(honestRequest(shop));
    for (const more of [`&x=${'e'.repeat(9000)}`, '&x=%', '&x=%ff', '&%zz=1']) {
      const answer = await send(stage, `/oauth/authorize?${query}${more}`);
      assert.notEqual(answer.status, 500, more.slice(0, 10));
      if (more.length > 100) assert.deepEqual([answer.status >= 400, answer.location], [true, undefined]);
    }
  });

  it('a request by POST gets no code', async () => {
    const answer = await send(stage, '/oauth/authorize', {
      method: 'POST',
      headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: encode(honestRequest(shop)),
    });
    assert.deepEqual([answer.status, answer.location], [405, undefined]);
  });
});
