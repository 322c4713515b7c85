// The ask token: a cookie for browsers, a header for those that ask for one, and the header wins.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askAnswer, readAskToken } from '../../../src/http/interface/ask-token-header.ts';
import { createCookieWriter } from '../../../src/http/interface/cookies.ts';

const headerOf = (value: string | undefined) => (name: string) => (name === 'ask-token' ? value : undefined);
const cookieOf = (value: string | undefined) => (name: string) => (name === 'ask' ? value : undefined);

describe('the ask token', () => {
  for (const [header, isSent] of [
    [undefined, false],
    ['', true],
    ['?1', true],
  ] as const) {
    it(`an answer ${isSent ? 'has' : 'has no'} header for a request whose header is ${JSON.stringify(header)}`, () => {
      const answer = askAnswer(
        createCookieWriter(false),
        { text: 'token', lifeSeconds: 60 },
        { header: headerOf(header) },
      );
      assert.deepEqual(answer, {
        data: null,
        cookies: ['ask=token; Max-Age=60; Path=/api/auth; HttpOnly; SameSite=Strict'],
        headers: isSent ? { 'ask-token': 'token' } : {},
      });
    });
  }

  for (const [header, cookie, expected] of [
    [undefined, undefined, undefined],
    [undefined, 'b', 'b'],
    ['', 'b', 'b'],
    [' ', 'b', 'b'],
    ['a', 'b', 'a'],
    [' a ', undefined, 'a'],
  ] as const) {
    it(`the token of the header ${JSON.stringify(header)} and the cookie ${JSON.stringify(cookie)} is ${JSON.stringify(expected)}`, () => {
      assert.equal(readAskToken({ header: headerOf(header), cookie: cookieOf(cookie) }), expected);
    });
  }
});
