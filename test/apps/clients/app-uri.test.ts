// The addresses of an app: absolute, exact, and safe to send a code to.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOfUri } from '../../../src/apps/clients/app-uri.ts';

describe('an address of an app', () => {
  for (const uri of [
    'https://app.example.com/callback',
    'https://app.example.com/',
    'https://app.example.com:8443/a/b?from=gatehouse',
    'https://xn--mnchen-3ya.example/',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:7777/callback',
    'http://[::1]/callback',
    'http://localhost:3000/callback',
    'com.example.app:/callback',
    'com.example.app://callback',
  ]) {
    it(`${uri} is fit for an app without a secret`, () => {
      assert.equal(problemOfUri(uri, true), undefined);
    });
  }

  for (const [uri, problem] of [
    ['', /absolute/],
    ['/callback', /absolute/],
    ['app.example.com', /absolute/],
    [`https://a.example.com/${'a'.repeat(2000)}`, /at most 2000/],
    ['https://*.example.com/callback', /wildcard/],
    ['https://a.example.com/*', /wildcard/],
    ['https://a.example.com/#', /fragment/],
    ['https://a.example.com/#top', /fragment/],
    ['https://user@a.example.com/', /user name/],
    ['https://:word@a.example.com/', /user name/],
    ['http://a.example.com/', /must begin with https/],
    ['http://127.0.0.2/', /must begin with https/],
    ['http://localhost.example.com/', /must begin with https/],
    ['http://app.localhost/', /must begin with https/],
    ['javascript:alert(1)', /contains a dot/],
    ['data:text/html,x', /contains a dot/],
    ['myapp://callback', /contains a dot/],
    ['ftp://a.example.com/', /contains a dot/],
    ['com.example.app:callback', /slash/],
    ['https://a.example.com', /must be written as https:\/\/a\.example\.com\/$/],
    ['https://A.example.com/', /must be written as https:\/\/a\.example\.com\/$/],
    ['https://a.example.com:443/', /must be written as https:\/\/a\.example\.com\/$/],
    ['https://a.example.com/x/../y', /must be written as https:\/\/a\.example\.com\/y$/],
    ['https:\\\\a.example.com\\', /must be written as/],
    ['https://a.example.com/ä', /must be written as/],
    ['https://a.example.com/\n', /must be written as/],
    ['http://127.1/', /must be written as http:\/\/127\.0\.0\.1\/$/],
  ] as const) {
    it(`${JSON.stringify(uri.slice(0, 60))} is refused`, () => {
      assert.match(problemOfUri(uri, true) ?? '', problem);
    });
  }

  it('an app with a secret has no scheme of its own', () => {
    assert.match(problemOfUri('com.example.app:/callback', false) ?? '', /because the app has a secret/);
    assert.equal(problemOfUri('http://localhost/callback', false), undefined);
    assert.equal(problemOfUri('https://a.example.com/callback', false), undefined);
  });
});
