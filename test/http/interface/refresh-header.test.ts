// The header RT: the token with or without “Bearer”, and nothing if it is empty.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRefreshHeader } from '../../../src/http/interface/refresh-header.ts';

describe('the header of a refresh token', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['', undefined],
    [' ', undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['abc', 'abc'],
    [' abc ', 'abc'],
    ['Bearer abc', 'abc'],
    ['BEARER   abc ', 'abc'],
    ['bearerabc', 'bearerabc'],
    ['Bearer Bearer abc', 'Bearer abc'],
    ['x Bearer abc', 'x Bearer abc'],
    ['Bearer\tabc', 'Bearer\tabc'],
  ] as const) {
    it(`the header ${JSON.stringify(header)} has the token ${JSON.stringify(expected)}`, () => {
      assert.equal(readRefreshHeader(header), expected);
    });
  }
});
