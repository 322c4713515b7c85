// The URL grammar of providers: which part is which, percent-decoding, and what is not a provider URL.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ProviderUrl, parseProviderUrl, schemeOf } from '../../../src/kernel/net/provider-url.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const empty: ProviderUrl = { scheme: '', id: '', secret: '', host: '', path: '', query: {} };

describe('a provider URL', () => {
  const cases: [text: string, bare: 'account' | 'host', parts: Partial<ProviderUrl>][] = [
    ['inbox:', 'account', { scheme: 'inbox' }],
    ['INBOX:', 'account', { scheme: 'inbox' }],
    ['  inbox:  ', 'account', { scheme: 'inbox' }],
    ['inbox://', 'account', { scheme: 'inbox' }],
    ['twilio://SID:TOKEN@?from=1', 'account', { scheme: 'twilio', id: 'SID', secret: 'TOKEN', query: { from: '1' } }],
    ['twilio://SID:TOKEN', 'account', { scheme: 'twilio', id: 'SID', secret: 'TOKEN' }],
    ['twilio://SID', 'account', { scheme: 'twilio', id: 'SID' }],
    ['smtp://mail:25', 'host', { scheme: 'smtp', host: 'mail:25' }],
    ['smtp://ann@mail', 'host', { scheme: 'smtp', id: 'ann', host: 'mail' }],
    ['smtp://a%40b:p%3Aw%2F@mail', 'host', { scheme: 'smtp', id: 'a@b', secret: 'p:w/', host: 'mail' }],
    ['smtp://ann:p:w@mail', 'host', { scheme: 'smtp', id: 'ann', secret: 'p:w', host: 'mail' }],
    ['smtp://ann:p@w@mail', 'host', { scheme: 'smtp', id: 'ann', secret: 'p@w', host: 'mail' }],
    [
      'webhook+https://key@h:1/a/b?c=d',
      'host',
      { scheme: 'webhook+https', id: 'key', host: 'h:1', path: '/a/b', query: { c: 'd' } },
    ],
    ['s3://k:s@[::1]:9000/bucket', 'host', { scheme: 's3', id: 'k', secret: 's', host: '[::1]:9000', path: '/bucket' }],
    ['x://h?a@b=c', 'host', { scheme: 'x', host: 'h', query: { 'a@b': 'c' } }],
    ['x://h?a=b=c&d&&e=', 'host', { scheme: 'x', host: 'h', query: { a: 'b=c', d: '', e: '' } }],
    ['x://h?a=1&a=2', 'host', { scheme: 'x', host: 'h', query: { a: '2' } }],
    ['x://h?a%26=%3D%20', 'host', { scheme: 'x', host: 'h', query: { 'a&': '= ' } }],
    ['x://h?a=?b', 'host', { scheme: 'x', host: 'h', query: { a: '?b' } }],
    ['x://@h', 'host', { scheme: 'x', host: 'h' }],
    ['x:a/b', 'host', { scheme: 'x', host: 'a', path: '/b' }],
    ['x://a/b', 'account', { scheme: 'x', id: 'a/b' }],
  ];
  for (const [text, bare, parts] of cases) {
    it(`“${text}” is read with a bare ${bare}`, () =>
      assert.deepEqual(parseProviderUrl(text, bare), { ...empty, ...parts }));
  }

  for (const text of ['', 'inbox', '://h', '1x://h', 'a b://h', 'x://%zz@h', 'x://a:%zz@h', 'x://h?a=%', 'x://h?%=a']) {
    it(`“${text}” is not a provider URL`, () => assert.equal(parseProviderUrl(text, 'host'), undefined));
  }

  it('what is written percent-encoded is read back as it was', () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab:@/?&=%+ #é\u{1f600}'), maxLength: 12 });
    const property = fc.property(part, part, part, part, (id, secret, name, value) => {
      fc.pre(name !== '');
      const [i, s, n, v] = [id, secret, name, value].map(encodeURIComponent);
      const url = parseProviderUrl(`x://${i}:${s}@host?${n}=${v}`, 'host');
      assert.deepEqual(url, { ...empty, scheme: 'x', id, secret, host: 'host', query: { [name]: value } });
    });
    fc.assert(property, { seed, numRuns: 200 });
  });

  it('no text makes the parser throw, and a query never changes the prototype', () => {
    const property = fc.property(fc.string(), fc.constantFrom<'account' | 'host'>('account', 'host'), (text, bare) => {
      parseProviderUrl(`x://${text}`, bare);
    });
    fc.assert(property, { seed, numRuns: 120 });
    assert.equal(parseProviderUrl('x://h?__proto__=a', 'host')?.query.toString, Object.prototype.toString);
  });
});

describe('the scheme of a text', () => {
  for (const [text, expected] of [
    ['Twilio://x', 'twilio'],
    [' s3://x', 's3'],
    ['webhook+https://x', 'webhook+https'],
    ['inbox:', 'inbox'],
    ['line one\nx://y', undefined],
    ['inbox', undefined],
    ['', undefined],
  ] as const) {
    it(`${JSON.stringify(text)} has ${expected ?? 'none'}`, () => assert.equal(schemeOf(text), expected));
  }
});
