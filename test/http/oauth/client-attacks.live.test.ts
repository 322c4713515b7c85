// Who may ask for tokens: wrong, missing and double secrets, other grants, and requests in another form.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { type AppReply, encode, postAs, postForm } from '../../helpers/people/oauth.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { attackedSettings, page, partner, shop } from './attacks/apps.ts';
import {
  type Answer,
  type Browser,
  basic,
  codeFor,
  exchange,
  openBrowser,
  type Parameters,
  send,
  verifier,
} from './attacks/attack.ts';
import { assertRefused } from './attacks/expectations.ts';

const secret = shop.secret ?? '';
type Headers = Readonly<Record<string, string>>;

const byBody = (id: string, text: string): Parameters => ({ client_id: id, client_secret: text });

/** Nobody who may be told anything about a code. */
const strangers: readonly (readonly [string, Parameters, Headers])[] = [
  ['no secret', { client_id: shop.id }, {}],
  ['an empty secret', byBody(shop.id, ''), {}],
  ['a wrong secret', byBody(shop.id, `${secret}x`), {}],
  ['the secret in other letters', byBody(shop.id, secret.toUpperCase()), {}],
  ['the hash of the secret', byBody(shop.id, sha256(secret)), {}],
  ['the secret of another app', byBody(shop.id, partner.secret ?? ''), {}],
  ['a very long secret', byBody(shop.id, 's'.repeat(5000)), {}],
  ['an unknown app', byBody('nobody', secret), {}],
  ['no app', {}, {}],
  ['a name of JavaScript', byBody('constructor', secret), {}],
  ['a secret for an app that has none', byBody(page.id, 'anything'), {}],
];

const basicStrangers: readonly (readonly [string, Headers])[] = [
  ['a wrong secret', basic(shop.id, `${secret}x`)],
  ['no secret', basic(shop.id, '')],
  ['the hash of the secret', basic(shop.id, sha256(secret))],
  ['an unknown app', basic('nobody', secret)],
  ['a secret for an app that has none', basic(page.id, 'anything')],
  ['no colon', { authorization: `Basic ${Buffer.from('shop').toString('base64')}` }],
  ['no base64', { authorization: 'Basic %%%' }],
  ['nothing', { authorization: 'Basic' }],
];

const mixed: readonly (readonly [string, Parameters, Headers])[] = [
  ['a secret in the body and in the header', byBody(shop.id, secret), basic(shop.id, secret)],
  ['another app in the body than in the header', { client_id: partner.id }, basic(shop.id, secret)],
  ['an app without a secret in the body', { client_id: page.id }, basic(shop.id, secret)],
  ['two apps in the body', { client_id: [shop.id, page.id], client_secret: secret }, {}],
  ['two secrets in the body', { client_id: shop.id, client_secret: [secret, 'x'] }, {}],
];

const grants: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'invalid_request'],
  ['', 'invalid_request'],
  ['password', 'unsupported_grant_type'],
  ['client_credentials', 'unsupported_grant_type'],
  ['implicit', 'unsupported_grant_type'],
  ['Authorization_Code', 'unsupported_grant_type'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'unsupported_grant_type'],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'unsupported_grant_type'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'unsupported_grant_type'],
];

describe('attacks by apps', () => {
  const stage = setStage('sqlite', attackedSettings);
  let browser: Browser;
  before(async () => {
    browser = await openBrowser(stage);
  });

  const form = (code: string): Parameters => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: shop.redirectUri,
    code_verifier: verifier,
  });

  it('a stranger gets nothing for a code and does not use it up', async () => {
    const code = await codeFor(stage, shop, browser);
    for (const [what, parameters, headers] of strangers) {
      const answer = await postForm(stage.url, '/oauth/token', { ...form(code), ...parameters }, headers);
      assertRefused(answer, 'invalid_client', what, 401);
    }
    for (const [what, headers] of basicStrangers) {
      const answer = await postForm(stage.url, '/oauth/token', form(code), headers);
      assertRefused(answer, 'invalid_client', `Basic with ${what}`, 401);
      assert.match(String(answer.headers.get('www-authenticate')), /^Basic /, what);
    }
    assert.equal((await exchange(stage, shop, code)).status, 200);
  });

  it('an unknown app and a wrong secret get the same answer', async () => {
    const ask = (id: string) => postForm(stage.url, '/oauth/token', { ...form('x'), ...byBody(id, 'wrong') });
    const [known, unknown] = [await ask(shop.id), await ask('nobody')];
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  });

  it('an app that proves itself in two ways, or as two apps, is refused and uses up nothing', async () => {
    const code = await codeFor(stage, shop, browser);
    for (const [what, parameters, headers] of mixed) {
      const answer = await postForm(stage.url, '/oauth/token', { ...form(code), ...parameters }, headers);
      assert.ok(answer.status === 400 || answer.status === 401, `${what}: ${answer.status}`);
      assertRefused(answer, answer.status === 401 ? 'invalid_client' : 'invalid_request', what, answer.status);
    }
    assert.equal((await exchange(stage, shop, code)).status, 200);
  });

  it('a secret in the query is no secret, and parameters in the query are none', async () => {
    const code = await codeFor(stage, shop, browser);
    const inQuery = encode(byBody(shop.id, secret));
    const refused = await postForm(stage.url, `/oauth/token?${inQuery}`, { ...form(code), client_id: shop.id });
    assertRefused(refused, 'invalid_client', 'a secret in the query', 401);
    const empty = await postForm(stage.url, `/oauth/token?${encode(form(code))}`, {}, basic(shop.id, secret));
    assertRefused(empty, 'invalid_request', 'a code in the query');
    assert.equal((await exchange(stage, shop, code)).status, 200);
  });

  for (const [grant, error] of grants)
    it(`the grant “${grant}” is refused with ${error}`, async () => {
      const more = { username: browser.phone, password: 'x', assertion: 'a.b.c', scope: 'openid' };
      assertRefused(
        await postAs(stage.url, shop, '/oauth/token', { ...more, grant_type: grant }),
        error,
        String(grant),
      );
    });

  for (const name of ['grant_type', 'code', 'redirect_uri', 'code_verifier'])
    it(`a token request with two values of ${name} is refused and uses up nothing`, async () => {
      const code = await codeFor(stage, shop, browser);
      const [value = ''] = [form(code)[name]].flat();
      for (const values of [
        [value, value],
        [value, 'x'],
        ['x', value],
      ])
        assertRefused(await exchange(stage, shop, code, { [name]: values }), 'invalid_request', values.join());
      assert.equal((await exchange(stage, shop, code)).status, 200);
    });

  it('a token request in another form is refused with an error of the protocol', async () => {
    const code = await codeFor(stage, shop, browser);
    const own = basic(shop.id, secret);
    const url = encode(form(code));
    const ask = async (what: string, status: number, path: string, init: RequestInit): Promise<void> => {
      const answer: Answer = await send(stage, path, init);
      const whole: AppReply = { ...answer, body: JSON.parse(answer.text) };
      assert.equal(answer.status, status, `${what}: ${answer.text}`);
      assertRefused(whole, 'invalid_request', what, status);
    };
    const body = (text: string, type: string) => ({
      method: 'POST',
      headers: { ...own, 'content-type': type },
      body: text,
    });
    await ask('GET', 405, `/oauth/token?${url}`, { headers: own });
    await ask('PUT', 405, '/oauth/token', { ...body(url, 'application/x-www-form-urlencoded'), method: 'PUT' });
    await ask('JSON', 415, '/oauth/token', body(JSON.stringify(form(code)), 'application/json'));
    await ask('text', 415, '/oauth/token', body(url, 'text/plain'));
    await ask('multipart', 415, '/oauth/token', body('--x--', 'multipart/form-data; boundary=x'));
    await ask(
      'a large body',
      413,
      '/oauth/token',
      body(`x=${'e'.repeat(100_000)}`, 'application/x-www-form-urlencoded'),
    );
    await ask('an unknown path', 404, '/oauth/introspect', body(url, 'application/x-www-form-urlencoded'));
    await ask('registration', 404, '/oauth/register', body('{}', 'application/json'));
    assert.equal((await exchange(stage, shop, code)).status, 200);
  });

  it('only the pages of apps may read tokens, and no page may read the other endpoints', async () => {
    const allowed = async (path: string, origin: string, method = 'POST') => {
      const headers = {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      };
      const preflight = await send(stage, path, { method: 'OPTIONS', headers });
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null, path);
      return preflight.headers.get('access-control-allow-origin');
    };
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/userinfo']) {
      assert.equal(await allowed(path, 'https://page.example'), 'https://page.example', path);
      for (const origin of ['https://evil.example', 'null', 'https://page.example.evil.example', 'http://page.example'])
        assert.equal(await allowed(path, origin), null, `${path} ${origin}`);
    }
    for (const path of ['/oauth/authorize', '/oauth/logout'])
      assert.equal(await allowed(path, 'https://page.example', 'GET'), null, path);
  });
});
