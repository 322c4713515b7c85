// HTTP at the endpoints of OpenID Connect: methods, bodies, sizes, limits, CORS, caching, and the form of every error.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  appSettings,
  authorizeQuery,
  backend,
  basic,
  openBrowser,
  postAs,
  postForm,
  publicApp,
  refreshAs,
  signInTo,
} from '../../helpers/people/oauth.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';

type ErrorBody = { error: string; error_description: string };

describe('HTTP at the endpoints of OpenID Connect', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', appSettings);
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(`${stage.url}${path}`, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  const refusal = async (response: Response) => {
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const body = (await response.json()) as ErrorBody;
    assert.deepEqual(Object.keys(body), ['error', 'error_description']);
    assert.match(body.error_description, /^[ !#-[\]-~]+$/);
    return `${response.status} ${body.error}`;
  };

  it('both discovery documents are the same, and each address in them belongs to this service', async () => {
    const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
    const [first, second] = await Promise.all(
      paths.map(async (path) => (await (await ask('GET', path)).json()) as Record<string, unknown>),
    );
    assert.deepEqual(first, second);
    const issuer = `http://localhost:${stage.env.PORT}`;
    assert.equal(first?.issuer, issuer);
    const addresses = Object.entries(first ?? {}).filter(([name]) => /_(endpoint|uri)$/.test(name));
    assert.equal(addresses.length, 6);
    for (const [, address] of addresses) {
      assert.ok(String(address).startsWith(`${issuer}/`));
      assert.notEqual((await ask('GET', String(address).slice(issuer.length))).status, 404);
    }
    assert.equal(first?.request_uri_parameter_supported, false);
    assert.equal((await ask('HEAD', paths[0] ?? '')).status, 200);
  });

  for (const [method, path, allow] of [
    ['GET', '/oauth/token', 'POST'],
    ['GET', '/oauth/revoke', 'POST'],
    ['POST', '/oauth/authorize', 'GET'],
    ['DELETE', '/oauth/userinfo', 'GET, HEAD, POST'],
    ['PUT', '/oauth/logout', 'GET, POST'],
    ['POST', '/.well-known/openid-configuration', 'GET, HEAD'],
  ] as const) {
    it(`${method} ${path} is refused with the methods that there are`, async () => {
      const response = await ask(method, path);
      assert.equal(response.headers.get('allow'), allow);
      assert.equal(await refusal(response), '405 invalid_request');
    });
  }

  it('forms that are wrong or without a right are refused at each endpoint that takes one', async () => {
    const { JWT } = await openBrowser(stage.url);
    const form = async (path: string, body: string, headers: Record<string, string> = {}) =>
      refusal(await ask('POST', path, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body));
    assert.equal(await form('/oauth/userinfo', 'access_token=nonsense'), '401 invalid_token');
    assert.equal(await form('/oauth/userinfo', `access_token=${JWT}`), '403 insufficient_scope');
    assert.equal(await form('/oauth/revoke', '', basic(backend)), '400 invalid_request');
    assert.equal(await form('/oauth/logout', 'state=a&state=b'), '400 invalid_request');
  });

  it('HEAD uses up no code: the authorization endpoint refuses it', async () => {
    assert.equal((await ask('HEAD', `/oauth/authorize?${authorizeQuery(backend)}`)).status, 405);
  });

  it('a path that there is not is refused as OAuth says', async () => {
    assert.equal(await refusal(await ask('GET', '/oauth/nothing')), '404 invalid_request');
  });

  it('the token endpoint takes forms alone, in UTF-8 and within its size', async () => {
    const type = 'application/x-www-form-urlencoded';
    const json = await ask('POST', '/oauth/token', { 'content-type': 'application/json' }, '{}');
    assert.equal(await refusal(json), '415 invalid_request');
    const latin = await ask('POST', '/oauth/token', { 'content-type': `${type}; charset=latin1` }, 'a=b');
    assert.equal(await refusal(latin), '415 invalid_request');
    const odd = await ask('POST', '/oauth/token', { 'content-type': 'odd' }, 'a=b');
    assert.equal(await refusal(odd), '415 invalid_request');
    const large = await ask('POST', '/oauth/token', { 'content-type': type }, `a=${'x'.repeat(17_000)}`);
    assert.equal(await refusal(large), '413 invalid_request');
    assert.equal(await refusal(await ask('POST', '/oauth/token')), '401 invalid_client');
  });

  it('an app proves itself in one way: by header or body, with a secret if it has one', async () => {
    const outcomeOf = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const { status, body } = await postForm(stage.url, '/oauth/token', fields, headers);
      return `${status} ${body.error}`;
    };
    const { id: client_id, secret: client_secret = '' } = backend;
    assert.equal(await outcomeOf({}, basic(backend)), '400 invalid_request');
    assert.equal(await outcomeOf({ client_id, client_secret }), '400 invalid_request');
    assert.equal(await outcomeOf({ client_id, client_secret }, basic(backend)), '400 invalid_request');
    assert.equal(await outcomeOf({ client_id: 'public' }, basic(backend)), '400 invalid_request');
    assert.equal(await outcomeOf({ client_id }), '401 invalid_client');
    assert.equal(await outcomeOf({ client_id, client_secret: 'wrong' }), '401 invalid_client');
    assert.equal(await outcomeOf({ client_id: 'public', client_secret }), '401 invalid_client');
    assert.equal(await outcomeOf({}, { authorization: 'Bearer x' }), '401 invalid_client');
    assert.equal(await outcomeOf({}, { authorization: 'Basic !' }), '401 invalid_client');
    const wrong = await postAs(stage.url, { ...backend, secret: 'wrong' }, '/oauth/token', {});
    assert.equal(wrong.status, 401);
    assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic /);
    assert.equal(await outcomeOf({ client_id: 'public', grant_type: 'password' }), '400 unsupported_grant_type');
  });

  it('pages of apps may read the token endpoint without cookies, others may not, and anyone may read the documents', async () => {
    const origin = 'https://public.example';
    const preflight = await ask('OPTIONS', '/oauth/token', { origin, 'access-control-request-method': 'POST' });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization, content-type');
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
    const answer = await ask('POST', '/oauth/token', { origin });
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
    assert.match(answer.headers.get('vary') ?? '', /^Origin(, Sec-Fetch-Dest)?$/);
    const native = await ask('POST', '/oauth/token', { origin: 'http://127.0.0.1:5173' });
    assert.equal(native.headers.get('access-control-allow-origin'), 'http://127.0.0.1:5173');
    const evil = await ask('POST', '/oauth/token', { origin: 'https://evil.example' });
    assert.equal(evil.headers.get('access-control-allow-origin'), null);
    for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json'])
      assert.equal(
        (await ask('GET', path, { origin: 'https://any.example' })).headers.get('access-control-allow-origin'),
        '*',
      );
    const page = await ask('GET', '/oauth/authorize', { origin });
    assert.equal(page.headers.get('access-control-allow-origin'), null);
  });
});

describe('limits at the endpoints of OpenID Connect', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', () => ({
    ...appSettings(),
    // No test crosses the border of a day: windows begin with the process.
    LIMIT_REQUESTS_PER_IP: '3/24h',
    LIMIT_REQUESTS_PER_KEY: '6/24h',
  }));

  it('an app with the right secret is counted by itself, and everybody else by address', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
    for (let turn = 0; turn < 6; turn += 1)
      assert.equal((await postAs(stage.url, backend, '/oauth/token', fields)).status, 400);
    const byApp = await postAs(stage.url, backend, '/oauth/token', fields);
    assert.deepEqual([byApp.status, byApp.body.error], [429, 'temporarily_unavailable']);
    assert.ok(Number(byApp.headers.get('retry-after')) > 0);
    const statuses: number[] = [];
    for (const app of [publicApp, { ...backend, secret: 'wrong' }, publicApp, publicApp])
      statuses.push((await postAs(stage.url, app, '/oauth/token', fields)).status);
    assert.deepEqual(statuses, [400, 401, 400, 429]);
    const unreadable = await fetch(`${stage.url}/oauth/token`, { method: 'POST', body: '{}' });
    assert.equal(unreadable.status, 429);
  });

  it('the server of an app with a secret asks about its users from one address, apart from its calls for tokens', async () => {
    const settings = appSettings();
    await stage.restart({ ...settings, LIMIT_REQUESTS_PER_IP: '20/24h' });
    const browser = await openBrowser(stage.url);
    const [ofServer, ofPage] = [
      await signInTo(stage.url, backend, browser),
      await signInTo(stage.url, publicApp, browser),
    ];
    await stage.restart(settings);
    const ask = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${stage.url}/oauth/userinfo`, { headers })).status;
    };
    const statuses: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push(await ask(ofServer.accessToken));
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429]);
    assert.equal((await refreshAs(stage.url, backend, ofServer.refreshToken)).status, 200);
    const others = [
      await ask(ofPage.accessToken),
      await ask('forged'),
      await ask(ofPage.accessToken),
      await ask('forged'),
    ];
    assert.deepEqual(others, [200, 401, 200, 429]);
  });
});
