// This machine and other machines, by host name.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isElsewhere, isLoopback } from '../../../src/kernel/net/loopback.ts';

describe('a host name of this machine', () => {
  for (const [name, expected] of [
    ['localhost', true],
    ['LOCALHOST', true],
    ['app.localhost', true],
    ['127.0.0.1', true],
    ['127.255.1.2', true],
    ['::1', true],
    ['[::1]', true],
    ['.localhost', false],
    ['localhost.example.com', false],
    ['notlocalhost', false],
    ['127.0.0.1.example.com', false],
    ['128.0.0.1', false],
    ['127.1', false],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['::', false],
    ['example.com', false],
    ['', false],
  ] as const) {
    it(`“${name}” is ${expected ? '' : 'not '}one`, () => assert.equal(isLoopback(name), expected));
  }
});

describe('a place elsewhere', () => {
  for (const [place, expected] of [
    ['', false],
    ['localhost', false],
    ['localhost:25', false],
    ['127.0.0.1:25', false],
    ['127.1', false],
    ['[::1]:25', false],
    ['example.com', true],
    ['example.com:25', true],
    ['10.0.0.1', true],
    ['[fd00::1]:25', true],
    ['local host', true],
    ['localhost:port', true],
  ] as const) {
    it(`“${place}” is ${expected ? '' : 'not '}elsewhere`, () => assert.equal(isElsewhere(place), expected));
  }
});
