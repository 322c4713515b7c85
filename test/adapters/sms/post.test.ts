// Answers of providers as text and JSON, and the reasons of failed connections.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  parseObject,
  readChunks,
  readRetryAfter,
  reasonOf,
  refusedBy,
  toText,
} from '../../../src/adapters/sms/post.ts';

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

  for (const [status, retryAfter, waitMilliseconds] of [
    [503, undefined, undefined],
    [503, '7', 7000],
    [503, 'soon', undefined],
    [500, '7', undefined],
    [429, '120', 120_000],
    [429, undefined, 1000],
    [429, 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ] as const) {
    it(`a refusal with ${status} and ${retryAfter} asks to wait for ${waitMilliseconds} ms`, () => {
      const wait = waitMilliseconds === undefined ? {} : { waitMilliseconds };
      const refusal = refusedBy({ kind: 'answered', status, text: '', retryAfter });
      assert.deepEqual(refusal, { kind: 'refused', error: `HTTP ${status}`, ...wait });
    });
  }

  it('Retry-After is seconds or a date', () => {
    const now = Date.UTC(2031, 4, 5, 12);
    assert.equal(readRetryAfter('Mon, 05 May 2031 12:01:30 GMT', now), 90_000);
    assert.equal(readRetryAfter(' 3 ', now), 3000);
    for (const text of [undefined, '', 'later']) assert.equal(readRetryAfter(text, now), undefined);
  });

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
    it(`${what} is reported as: ${expected}`, () => assert.equal(reasonOf(error), expected));
  }
});
