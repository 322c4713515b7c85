// Requests that an app, or somebody in its name, should not make: other flows, weaker proofs, tricks with state and mode.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setStage } from '../../helpers/services/stage.ts';
import { attackedSettings, page, partner, shop } from './attacks/apps.ts';
import {
  authorize,
  type Browser,
  challenge,
  issuerOf,
  openBrowser,
  type Parameters,
  send,
  ticketIn,
  verifier,
} from './attacks/attack.ts';
import { assertAppGetsError, assertSafe } from './attacks/expectations.ts';

const foreignFlows = [
  'token',
  'id_token',
  'id_token token',
  'code token',
  'code id_token',
  'token code',
  'none',
  'CODE',
];

const foreignModes = [
  'fragment',
  'form_post',
  'query.jwt',
  'fragment.jwt',
  'form_post.jwt',
  'jwt',
  'web_message',
  'QUERY',
];

const longest: readonly (readonly [string, number])[] = [
  ['state', 2048],
  ['nonce', 512],
  ['login_hint', 256],
];

const faults: readonly (readonly [string, Parameters, string])[] = [
  ['no flow', { response_type: undefined }, 'invalid_request'],
  ...foreignFlows.map((flow) => [`the flow “${flow}”`, { response_type: flow }, 'unsupported_response_type'] as const),
  ...foreignModes.map((mode) => [`the mode “${mode}”`, { response_mode: mode }, 'invalid_request'] as const),
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['a challenge without its method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
  ['a plain challenge', { code_challenge: verifier, code_challenge_method: 'plain' }, 'invalid_request'],
  ['the method in other letters', { code_challenge_method: 's256' }, 'invalid_request'],
  ['an unknown method', { code_challenge_method: 'S512' }, 'invalid_request'],
  ['a short challenge', { code_challenge: challenge.slice(1) }, 'invalid_request'],
  ['a long challenge', { code_challenge: `${challenge}A` }, 'invalid_request'],
  ['a challenge with padding', { code_challenge: `${challenge}=` }, 'invalid_request'],
  ['a challenge in plain base64', { code_challenge: `${challenge.slice(2)}+/` }, 'invalid_request'],
  ['no scope', { scope: undefined }, 'invalid_scope'],
  ['no scope openid', { scope: 'phone email' }, 'invalid_scope'],
  ['a scope that only begins like openid', { scope: 'openid2' }, 'invalid_scope'],
  ['a prompt for nobody and somebody', { prompt: 'none login' }, 'invalid_request'],
  ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
  ['a choice of accounts', { prompt: 'select_account' }, 'invalid_request'],
  ['a negative age', { max_age: '-1' }, 'invalid_request'],
  ['an age that is no number', { max_age: '1e3' }, 'invalid_request'],
  ['an age without end', { max_age: '9'.repeat(400) }, 'invalid_request'],
  ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ['the address of a request object', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
  ['a registration', { registration: '{}' }, 'registration_not_supported'],
  ...longest.map(
    ([name, most]) => [`a ${name} that is too long`, { [name]: 'e'.repeat(most + 1) }, 'invalid_request'] as const,
  ),
];

const single =
  'response_type scope state nonce code_challenge code_challenge_method response_mode prompt max_age ui_locales login_hint';

describe('attacks by authorization requests', () => {
  const stage = setStage('sqlite', attackedSettings);
  let browser: Browser;
  before(async () => {
    browser = await openBrowser(stage);
  });

  for (const [what, changes, error] of faults)
    it(`a request with ${what} is answered to the app with ${error}, signed in or not`, async () => {
      for (const who of [browser, undefined])
        assertAppGetsError(await authorize(stage, shop, changes, who), shop.redirectUri, error, stage, what);
    });

  for (const name of single.split(' '))
    it(`a request with two values of ${name} is answered with invalid_request`, async () => {
      const answer = await authorize(stage, shop, { [name]: ['1', '2'] }, browser);
      assertAppGetsError(answer, shop.redirectUri, 'invalid_request', stage, name);
      if (name === 'state') assert.equal(answer.location?.searchParams.has('state'), false);
    });

  it('every answer says who gives it, so that no app mistakes another provider for this one', async () => {
    const found = (await (await fetch(`${stage.url}/.well-known/openid-configuration`)).json()) as Record<
      string,
      unknown
    >;
    const {
      issuer,
      authorization_response_iss_parameter_supported: isPromised,
      response_modes_supported: modes,
    } = found;
    assert.deepEqual([issuer, isPromised, modes], [issuerOf(stage), true, ['query']]);
    assert.deepEqual(
      [found.response_types_supported, found.code_challenge_methods_supported, found.grant_types_supported],
      [['code'], ['S256'], ['authorization_code', 'refresh_token']],
    );
    for (const changes of [{}, { prompt: 'none' }, { response_type: 'token' }]) {
      const { location } = await authorize(stage, shop, changes, browser);
      assert.deepEqual(location?.searchParams.getAll('iss'), [issuerOf(stage)]);
    }
  });

  it('a state comes back exactly, in answers and in errors, and changes nothing else', async () => {
    const states = [
      'a b+c%20d',
      'x&code=evil&iss=https://evil.example',
      'x#access_token=evil',
      '"><script>alert(1)</script>',
      'ключ 鍵 🔑',
      '%00%0d%0a',
      's'.repeat(2048),
    ];
    for (const state of states)
      for (const changes of [{ state }, { state, response_type: 'token' }]) {
        const answer = await authorize(stage, shop, changes, browser);
        const { location } = answer;
        assert.deepEqual([answer.status, location?.origin, location?.hash], [303, 'https://shop.example', '']);
        assert.deepEqual(location?.searchParams.getAll('state'), [state]);
        assert.deepEqual(location?.searchParams.getAll('iss'), [issuerOf(stage)]);
        assert.equal(location?.searchParams.getAll('code').length, 'response_type' in changes ? 0 : 1);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
    const lines = await authorize(stage, shop, { state: 'x\r\nSet-Cookie: evil=1' }, browser);
    assertAppGetsError(lines, shop.redirectUri, 'invalid_request', stage, 'two lines');
    assert.deepEqual(lines.headers.getSetCookie(), []);
    const without = await authorize(stage, shop, { state: undefined }, browser);
    assert.equal(without.location?.searchParams.has('state'), false);
  });

  it('prompt=none never shows a page: it answers login_required or consent_required', async () => {
    const asked = { prompt: 'none' };
    const forged = { cookie: 'SSO=a.b.c; JWT=a.b.c' };
    const table = [
      ['nobody is signed in', shop, asked, undefined, 'login_required'],
      ['the cookies are forged', shop, asked, forged, 'login_required'],
      [
        'the refresh token is in the place of the session',
        shop,
        asked,
        { cookie: `SSO=${browser.RT}` },
        'login_required',
      ],
      [
        'the access token is in the place of the session',
        shop,
        asked,
        { cookie: `SSO=${browser.JWT}` },
        'login_required',
      ],
      ['the last proof is too old', shop, { ...asked, max_age: '0' }, browser, 'login_required'],
      ['the user has allowed nothing', partner, asked, browser, 'consent_required'],
    ] as const;
    stage.clock.advance(2);
    for (const [what, app, changes, who, error] of table)
      assertAppGetsError(await authorize(stage, app, changes, who), app.redirectUri, error, stage, what);
  });

  it('prompt=login and max_age give no code before a new proof, however often the ticket comes back', async () => {
    stage.clock.advance(2);
    for (const changes of [{ prompt: 'login' }, { max_age: '1' }, { max_age: '0' }, { prompt: 'login consent' }]) {
      let answer = await authorize(stage, shop, changes, browser);
      for (const _ of [1, 2, 3]) {
        assert.equal(answer.status, 200, JSON.stringify(changes));
        assertSafe(answer, JSON.stringify(changes));
        const ticket = encodeURIComponent(ticketIn(answer));
        const more = 'prompt=none&max_age=9999&response_type=code';
        answer = await send(stage, `/oauth/authorize?ticket=${ticket}&${more}`, {
          headers: { cookie: browser.cookie },
        });
        if (answer.status === 400) break;
      }
      assert.equal(answer.location, undefined);
    }
  });

  it('a new sign-in satisfies prompt=login, and only a sign-in after the request does', async () => {
    const ticket = encodeURIComponent(ticketIn(await authorize(stage, shop, { prompt: 'login' }, browser)));
    stage.clock.advance(61);
    const again = await openBrowser(stage, browser.phone);
    const go = (cookie: string) => send(stage, `/oauth/authorize?ticket=${ticket}`, { headers: { cookie } });
    assert.equal((await go(browser.cookie)).status, 200);
    const { status, location } = await go(again.cookie);
    assert.deepEqual([status, location?.searchParams.has('code')], [303, true]);
  });

  it('scopes that the app may not ask for are dropped, and none is added', async () => {
    const { status, location } = await authorize(
      stage,
      page,
      { scope: 'openid files email admin offline_access' },
      browser,
    );
    assert.deepEqual([status, location?.searchParams.has('code')], [303, true]);
  });

  it('what the app sends stays text on the page', async () => {
    const evil = '"></script><script>alert(1)</script>';
    const answer = await authorize(stage, shop, { login_hint: evil, ui_locales: evil, display: evil, state: evil });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(answer.text, /<script>alert/);
    assertSafe(answer, 'the sign-in page');
  });
});
