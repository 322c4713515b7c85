// The request of an app: what is valid, which error people see, and which error the app gets.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, createAppList } from '../../../src/apps/clients/app.ts';
import { readAuthorizationRequest } from '../../../src/apps/requests/read-authorization-request.ts';

const app: App = {
  id: 'app',
  name: 'App',
  redirectUris: ['https://app.example/cb'],
  logoutUris: [],
  secretHash: undefined,
  scopes: ['openid', 'phone'],
  isFirstParty: true,
  logo: undefined,
};
const apps = createAppList([app, { ...app, id: 'closed', scopes: ['phone'] }]);
const valid = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: 'https://app.example/cb',
  scope: 'openid phone email unknown',
  state: 's',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};

function read(changes: Readonly<Record<string, string>>, more = '') {
  return readAuthorizationRequest(apps, new URLSearchParams({ ...valid, ...changes }).toString() + more);
}

describe('reading the request of an app', () => {
  it('a valid request keeps the scopes that the app may ask for, and its wishes', () => {
    const wishes = {
      prompt: 'login',
      max_age: '0',
      ui_locales: 'de',
      login_hint: '+1',
      nonce: 'n',
      response_mode: 'query',
    };
    assert.deepEqual(read(wishes), {
      kind: 'valid',
      app,
      request: {
        appId: 'app',
        redirectUri: valid.redirect_uri,
        scopes: ['openid', 'phone'],
        state: 's',
        nonce: 'n',
        challenge: valid.code_challenge,
        prompt: 'login',
        maxAgeSeconds: 0,
        uiLocales: 'de',
        loginHint: '+1',
      },
    });
  });

  it('a parameter without a value counts as absent, and an unknown one is ignored', () => {
    assert.equal(read({ request: '', display: 'popup', state: '' }, '&prompt=&prompt=').kind, 'valid');
    const long = read({ ui_locales: 'd'.repeat(257) });
    assert.equal(long.kind === 'valid' && long.request.uiLocales, undefined);
  });

  it('a request without PKCE says what the developer of the app must turn on', () => {
    const result = read({ code_challenge: '', code_challenge_method: '' });
    assert.match(result.kind === 'sent' ? result.description : '', /^code_challenge is missing: turn on PKCE/);
  });

  for (const [prompt, meant] of [
    ['login consent', 'login consent'],
    ['consent login', 'login consent'],
    ['none', 'none'],
    ['consent', 'consent'],
  ]) {
    it(`the prompt “${prompt}” is understood`, () => {
      const result = read({ prompt: prompt ?? '' });
      assert.equal(result.kind === 'valid' && result.request.prompt, meant);
    });
  }

  for (const [what, changes, more, about] of [
    ['an unknown app', { client_id: 'other' }, '', 'app'],
    ['no app', { client_id: '' }, '', 'app'],
    ['two apps', {}, '&client_id=app', 'app'],
    ['an address of nobody', { redirect_uri: 'https://evil.example' }, '', 'address'],
    ['no address', { redirect_uri: '' }, '', 'address'],
    ['two addresses', {}, '&redirect_uri=https%3A%2F%2Fapp.example%2Fcb', 'address'],
    ['a query of nine thousand characters', {}, `&x=${'x'.repeat(9000)}`, 'request'],
  ] as const) {
    it(`a request with ${what} is answered on a page`, () => {
      const result = read(changes, more);
      assert.deepEqual([result.kind, result.kind === 'shown' && result.about], ['shown', about]);
    });
  }

  for (const [what, changes, more, error] of [
    ['a repeated parameter', {}, '&nonce=a&nonce=b', 'invalid_request'],
    ['a control character', { nonce: 'a\0' }, '', 'invalid_request'],
    ['a request object', { request: 'x' }, '', 'request_not_supported'],
    ['a request URI', { request_uri: 'x' }, '', 'request_uri_not_supported'],
    ['a registration', { registration: 'x' }, '', 'registration_not_supported'],
    ['no response type', { response_type: '' }, '', 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, '', 'unsupported_response_type'],
    ['the hybrid flow', { response_type: 'code id_token' }, '', 'unsupported_response_type'],
    ['the response mode fragment', { response_mode: 'fragment' }, '', 'invalid_request'],
    ['no challenge', { code_challenge: '' }, '', 'invalid_request'],
    ['a challenge of 42 characters', { code_challenge: 'x'.repeat(42) }, '', 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, '', 'invalid_request'],
    ['no challenge method', { code_challenge_method: '' }, '', 'invalid_request'],
    ['no scope', { scope: '' }, '', 'invalid_scope'],
    ['a scope without openid', { scope: 'phone' }, '', 'invalid_scope'],
    ['an app that may not ask for openid', { client_id: 'closed' }, '', 'invalid_scope'],
    ['an unknown prompt', { prompt: 'select_account' }, '', 'invalid_request'],
    ['the prompts none and login', { prompt: 'none login' }, '', 'invalid_request'],
    ['a negative max_age', { max_age: '-1' }, '', 'invalid_request'],
    ['a long nonce', { nonce: 'n'.repeat(513) }, '', 'invalid_request'],
    ['a long hint', { login_hint: 'h'.repeat(257) }, '', 'invalid_request'],
  ] as const) {
    it(`a request with ${what} is answered to the app, with its state`, () => {
      const result = read(changes, more);
      assert.deepEqual(
        [result.kind, result.kind === 'sent' && result.error, result.kind === 'sent' && result.state],
        ['sent', error, 's'],
      );
    });
  }

  it('a state that is too long or repeated is not sent back', () => {
    for (const result of [read({ state: 's'.repeat(2049) }), read({}, '&state=t')])
      assert.deepEqual([result.kind, result.kind === 'sent' && result.state], ['sent', undefined]);
  });
});
