// Redirect URIs: exactly as listed, except for the port of a program on a device.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App } from '../../../src/apps/clients/app.ts';
import { matchRedirectUri } from '../../../src/apps/clients/match-redirect-uri.ts';

const app: App = {
  id: 'app',
  name: 'App',
  redirectUris: ['https://app.example/cb', 'http://127.0.0.1/cb', 'http://[::1]:9/cb?a=1', 'com.example.app:/cb'],
  logoutUris: [],
  secretHash: undefined,
  scopes: ['openid'],
  isFirstParty: true,
  logo: undefined,
};

describe('matching a redirect URI', () => {
  for (const uri of [
    ...app.redirectUris,
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]/cb?a=1',
    'http://[::1]:8080/cb?a=1',
  ])
    it(`a public app may be answered at ${uri}`, () => assert.equal(matchRedirectUri(app, uri), true));

  for (const uri of [
    '',
    'https://app.example/cb/',
    'https://app.example/cb?x',
    'https://app.example:443/cb',
    'https://app.example:8443/cb',
    'HTTPS://app.example/cb',
    'https://app.example/CB',
    'https://app.example/cb#x',
    'https://app.example@evil.example/cb',
    'http://app.example/cb',
    'http://localhost/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:080/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.1:1/cb#x',
    'http://127.0.0.1:1/cb/../x',
    'http://127.0.0.1.evil.example:1/cb',
    'https://127.0.0.1:1/cb',
    'http://[::1]:1/cb',
    'http://127.0.0.1:1/cb?a=1',
    'com.example.app:/cb/',
    'com.example.app://cb',
    `http://127.0.0.1:1/cb${'x'.repeat(3000)}`,
  ])
    it(`no app is answered at ${uri.slice(0, 50) || 'an empty address'}`, () =>
      assert.equal(matchRedirectUri(app, uri), false));

  it('an app with a secret has no free port', () => {
    const confidential = { ...app, secretHash: 'x' };
    assert.equal(matchRedirectUri(confidential, 'http://127.0.0.1/cb'), true);
    assert.equal(matchRedirectUri(confidential, 'http://127.0.0.1:1/cb'), false);
  });
});
