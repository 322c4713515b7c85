// The device token: a cookie for browsers, a header for apps, and the header wins.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCookieWriter } from '../../../src/http/interface/cookies.ts';
import { deviceAnswer, readDeviceToken } from '../../../src/http/interface/device-token-header.ts';

const headerOf = (value: string | undefined) => (name: string) => (name === 'device-token' ? value : undefined);
const cookieOf = (value: string | undefined) => (name: string) => (name === 'DV' ? value : undefined);

describe('the device token in HTTP', () => {
  it('an answer has the device token as a cookie and as a header', () => {
    assert.deepEqual(deviceAnswer(createCookieWriter(false), { text: 'token', lifeSeconds: 60 }), {
      cookies: ['DV=token; Max-Age=60; Path=/api/auth; HttpOnly; SameSite=Strict'],
      headers: { 'device-token': 'token' },
    });
  });

  for (const [header, cookie, expected] of [
    [undefined, undefined, undefined],
    [undefined, 'b', 'b'],
    ['', 'b', 'b'],
    [' ', 'b', 'b'],
    ['a', 'b', 'a'],
    [' a ', undefined, 'a'],
  ] as const) {
    it(`the device token of the header ${JSON.stringify(header)} and the cookie ${JSON.stringify(cookie)} is ${JSON.stringify(expected)}`, () => {
      assert.equal(readDeviceToken({ header: headerOf(header), cookie: cookieOf(cookie) }), expected);
    });
  }
});
