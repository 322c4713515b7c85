// Heads that a proxy and this service could read differently are refused.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { checkHead } from '../../../src/http/server/check-head.ts';

/** As Node's parser gives it: the last of equal names in `headers`, all of them in `rawHeaders`. */
function head(pairs: readonly (readonly [name: string, value: string])[], httpVersion = '1.1'): IncomingMessage {
  const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  return { httpVersion, headers, rawHeaders: pairs.flat() } as unknown as IncomingMessage;
}
const host = ['Host', 'id.example'] as const;

function refusal(request: IncomingMessage): unknown {
  try {
    checkHead(request);
    return 'passes';
  } catch (error) {
    const { code, detail } = error as { code: string; detail: { field?: string } };
    return detail.field === undefined ? code : `${code} ${detail.field}`;
  }
}

describe('the head of a request', () => {
  for (const [version, expected] of [
    ['1.1', 'passes'],
    ['1.0', 'passes'],
    ['0.9', 'REQUEST_INVALID version'],
    ['2.0', 'REQUEST_INVALID version'],
    ['', 'REQUEST_INVALID version'],
  ] as const) {
    it(`a head of HTTP/${version} ${expected === 'passes' ? 'passes' : 'is refused'}`, () => {
      assert.equal(refusal(head([host], version)), expected);
    });
  }

  it('a host is needed in HTTP/1.1, and not in HTTP/1.0', () => {
    assert.equal(refusal(head([])), 'REQUEST_INVALID host');
    assert.equal(refusal(head([], '1.0')), 'passes');
  });

  for (const value of [
    '',
    'a',
    'id.example',
    'ID.example:8080',
    'id.example:',
    '127.0.0.1:1',
    '[::1]',
    '[fe80::1]:65535',
    "a_b~!$&'()*+,;=%20-",
  ])
    it(`the host ${JSON.stringify(value)} passes`, () => assert.equal(refusal(head([['Host', value]])), 'passes'));

  for (const value of [
    ' ',
    'a b',
    'a/b',
    'a@b',
    'user@id.example',
    'id.example:80:80',
    'id.example:123456',
    'id.example:x',
    'a?b',
    'a#b',
    '[::1',
    '::1',
    '[x]',
    '[]',
    '[::1]x',
    'a\\b',
    'é',
    'a"b',
  ])
    it(`the host ${JSON.stringify(value)} is refused`, () => {
      for (const version of ['1.1', '1.0'])
        assert.equal(refusal(head([['Host', value]], version)), 'REQUEST_INVALID host');
    });

  for (const name of [
    'Authorization',
    'captcha-token',
    'Content-Length',
    'content-type',
    'HOST',
    'Idempotency-Key',
    'origin',
    'RT',
    'X-File-Purpose',
  ]) {
    it(`two headers ${name} are refused, also with the same value and in another case`, () => {
      const field = name.toLowerCase();
      const twice = [
        [name, 'id.example'],
        ['accept', '*/*'],
        [field.toUpperCase(), 'id.example'],
      ] as const;
      const others = field === 'host' ? [] : [host];
      assert.equal(refusal(head([...others, ...twice])), `REQUEST_INVALID ${field}`);
      assert.equal(refusal(head([...others, [name, 'id.example']])), 'passes');
    });
  }

  it('headers that may be repeated pass, and a value that looks like a header name counts as a value', () => {
    assert.equal(
      refusal(head([host, ['accept', 'a'], ['accept', 'b'], ['cookie', 'a=b'], ['cookie', 'c=d']])),
      'passes',
    );
    assert.equal(refusal(head([host, ['x', 'rt'], ['y', 'rt'], ['rt', 'a']])), 'passes');
  });

  for (const [value, version, expected] of [
    ['chunked', '1.1', 'passes'],
    ['Chunked', '1.1', 'passes'],
    ['chunked', '1.0', 'REQUEST_INVALID transfer-encoding'],
    ['gzip, chunked', '1.1', 'REQUEST_INVALID transfer-encoding'],
    ['identity', '1.1', 'REQUEST_INVALID transfer-encoding'],
    ['chunked, chunked', '1.1', 'REQUEST_INVALID transfer-encoding'],
    ['', '1.1', 'REQUEST_INVALID transfer-encoding'],
  ] as const) {
    it(`the transfer encoding ${JSON.stringify(value)} ${expected === 'passes' ? 'passes' : 'is refused'} in HTTP/${version}`, () => {
      assert.equal(refusal(head([host, ['Transfer-Encoding', value]], version)), expected);
    });
  }

  for (const [value, expected] of [
    ['identity', 'passes'],
    ['Identity', 'passes'],
    ['gzip', 'MEDIA_TYPE_UNSUPPORTED'],
    ['identity, gzip', 'MEDIA_TYPE_UNSUPPORTED'],
    ['', 'MEDIA_TYPE_UNSUPPORTED'],
  ] as const) {
    it(`the content encoding ${JSON.stringify(value)} ${expected === 'passes' ? 'passes' : 'is refused'}`, () => {
      assert.equal(refusal(head([host, ['Content-Encoding', value]])), expected);
    });
  }
});
