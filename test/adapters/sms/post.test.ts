// Answers of providers as text and JSON, and the reasons of failed connections.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseObject, readChunks, reasonOf, refusedBy, toText } from '../../../src/adapters/sms/post.ts';

describe('the answer of a provider', () => {
  for (const [text, expected] of [
    ['{"a":1}', { a: 1 }],
    ['[5]', { 0: 5 }],
    ['{}', {}],
    ['null', undefined],
    ['"text"', undefined],
    ['5', undefined],
    ['', undefined],
    ['{"a":', undefined],
  ] as const) {
    it(`${text || 'nothing'} ${expected === undefined ? 'is no object' : 'is an object'}`, () =>
      assert.deepEqual(parseObject(text), expected));
  }

  it('an object cannot bring a prototype of its own', () => {
    const parsed = parseObject('{"__proto__":{"admin":true}}');
    assert.equal((parsed as { admin?: boolean }).admin, undefined);
  });

  it('a refusal carries the status', () => assert.deepEqual(refusedBy(503), { kind: 'refused', error: 'HTTP 503' }));

  it('at most 64 KiB are read, and the text is cut there', async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(40_000).fill(97));
      },
    });
    const chunks: Uint8Array[] = [];
    await readChunks(new Response(body), chunks);
    assert.ok(pulled < 5, `${pulled} chunks`);
    assert.equal(toText(chunks), 'a'.repeat(65_536));
  });

  it('an answer without a body is an empty text', async () => {
    const chunks: Uint8Array[] = [];
    await readChunks(new Response(null, { status: 204 }), chunks);
    assert.equal(toText(chunks), '');
  });

  it('a body that breaks off throws, and keeps what came before', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array([97])),
      pull: (controller) => controller.error(new Error('lost')),
    });
    const chunks: Uint8Array[] = [];
    await assert.rejects(readChunks(new Response(body), chunks), /lost/);
    assert.equal(toText(chunks), 'a');
  });
});

describe('the reason of a failed connection', () => {
  const caused = (code: unknown) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('for +1202555'), { code }) });
  for (const [what, error, expected] of [
    ['a refusal', caused('ECONNREFUSED'), 'connection refused'],
    ['a reset', caused('ECONNRESET'), 'connection lost'],
    ['a closed socket', caused('UND_ERR_SOCKET'), 'connection lost'],
    ['a broken pipe', caused('EPIPE'), 'connection lost'],
    ['a slow connection', caused('UND_ERR_CONNECT_TIMEOUT'), 'time-out'],
    ['an unknown name', caused('ENOTFOUND'), 'name not found'],
    ['a silent name server', caused('EAI_AGAIN'), 'name not found'],
    ['another code', caused('CERT_HAS_EXPIRED'), 'connection failed: CERT_HAS_EXPIRED'],
    ['a code that may hold anything', caused('for +1202555'), 'connection failed'],
    ['no code', new TypeError('for +1202555'), 'connection failed'],
    ['a time-out', new DOMException('for +1202555', 'TimeoutError'), 'time-out'],
    ['an end from outside', new DOMException('for +1202555', 'AbortError'), 'time-out'],
    ['a text', 'for +1202555', 'connection failed'],
  ] as const) {
    it(`${what} is told as: ${expected}`, () => assert.equal(reasonOf(error), expected));
  }
});
