// The target of a request: its path, its query, and what of it cannot be read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pathOf, readQuery, readTarget } from '../../../src/http/server/target.ts';

describe('the path of a URL', () => {
  for (const [url, path] of [
    ['/a/b', '/a/b'],
    ['/a?b=/c#d', '/a'],
    ['/a#b?c', '/a#b'],
    ['?a', ''],
    ['', ''],
    ['http://host/a?b', '/a'],
    ['HTTPS://host:1/a', '/a'],
    ['http://host', '/'],
    ['http://host?a', '/'],
    ['ftp://host/a', 'ftp://host/a'],
    ['/http://host/a', '/http://host/a'],
    ['/%61%20b', '/%61%20b'],
    ['/a%2Fb%3Fc', '/a%2Fb%3Fc'],
    ['/%E4%B8%96', '/%E4%B8%96'],
    ['/%', '/%'],
    ['/%ff%61', '/%ff%61'],
    ['/a?%', '/a'],
    ['*', '/*'],
  ] as const) {
    it(`the path of ${JSON.stringify(url)} is ${JSON.stringify(path)}`, () => assert.equal(pathOf(url), path));
  }

  for (const [url, isReadable] of [
    ['/a?%', true],
    ['/%61', true],
    ['/%', false],
    ['/%ff', false],
    ['http://host/a', true],
    ['http://host/%', false],
    ['http:///a', false],
    ['http://host#/a', false],
    ['http://host/a#b', false],
    ['http://a b/c', false],
    ['http://host\\api/admin', false],
    ['http://user@host/a', false],
    ['/a#b', true],
    ['ftp://host/a', true],
    ['*', true],
  ] as const) {
    it(`${url} can${isReadable ? '' : 'not'} be read`, () => assert.equal(readTarget(url).isReadable, isReadable));
  }
});

describe('the query of a URL', () => {
  for (const [text, expected] of [
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=a', { '': 'a' }],
    ['=', { '': '' }],
    ['&&a=1&', { a: '1' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a=b=c', { a: 'b=c' }],
    ['a+b=c+d', { 'a b': 'c d' }],
    ['a=%2B%20%C3%A9', { a: '+ é' }],
    ['%61=1', { a: '1' }],
    ['a=%', { a: '%' }],
    ['a=%zz+b', { a: '%zz b' }],
    ['a=%ff&b=%61', { a: '%ff', b: 'a' }],
    ['a=%00', { a: '\0' }],
    ['a?b=c#d', { 'a?b': 'c#d' }],
    ['constructor=1', { constructor: '1' }],
  ] as const) {
    it(`the query ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () =>
      assert.deepEqual({ ...readQuery(text) }, expected as object));
  }

  it('a name of the language is only a name', () => {
    const query = readQuery('__proto__=1&toString=2');
    assert.deepEqual(Object.entries(query), [
      ['__proto__', '1'],
      ['toString', '2'],
    ]);
    assert.equal(Object.getPrototypeOf(query), null);
  });

  it('a value is decoded exactly if it can be', () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => `%${code.toString(16).padStart(2, '0')}`);
    const part = fc.oneof(
      byte,
      fc.constantFrom('%', '%f', 'a', 'é', '%E4%B8%96', '%F0%9F%98%80', '%ED%A0%80', '%C0%80'),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
        (value) => {
          let decoded = value;
          try {
            decoded = decodeURIComponent(value);
          } catch {
            // It stays as it is.
          }
          assert.equal(readQuery(`a=${value}`).a, decoded);
        },
      ),
    );
  });

  it('a query full of codes that cannot be decoded takes no longer than another', () => {
    const startedAt = performance.now();
    for (let round = 0; round < 20; round += 1) readQuery('a=%&'.repeat(4000));
    assert.ok(performance.now() - startedAt < 1000);
  });
});
