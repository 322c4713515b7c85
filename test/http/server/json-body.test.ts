// The JSON body of a request: limits of size and depth, names and texts that others read differently, and bodies that break off.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  checkTree,
  maxBodyBytes,
  parseJsonObject,
  readBytes,
  readJsonObject,
  shownName,
} from '../../../src/http/server/json-body.ts';
import { seed } from '../../helpers/faults/rounds.ts';

function refusal(work: () => unknown): string {
  try {
    work();
    return 'passes';
  } catch (error) {
    const { code, detail } = error as { code: string; detail: { field?: string } };
    return detail.field === undefined ? code : `${code} ${detail.field}`;
  }
}

const bytesOf = (text: string) => Buffer.from(text);
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a JSON object', () => {
  it('any JSON object is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }),
        (value) => {
          const text = JSON.stringify(value);
          if (/\\u0000|\\ud[89a-f]|__proto__/i.test(text)) return;
          assert.deepEqual(parseJsonObject(bytesOf(text)), JSON.parse(text));
        },
      ),
      { numRuns: 200, seed },
    );
  });

  for (const [what, body, expected] of [
    ['an empty object', '{}', 'passes'],
    ['white space around it', ' \r\n\t{} ', 'passes'],
    ['unknown fields', '{"x":[1,null,true,{"y":"z"}]}', 'passes'],
    ['32 levels', nested(32), 'passes'],
    ['33 levels', nested(33), 'JSON_INVALID'],
    ['33 levels of lists', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'JSON_INVALID'],
    ['a hundred thousand levels', nested(100_000), 'JSON_INVALID'],
    ['nothing', '', 'JSON_INVALID'],
    ['an array', '[]', 'JSON_INVALID'],
    ['null', 'null', 'JSON_INVALID'],
    ['a text', '"a"', 'JSON_INVALID'],
    ['a number', '1', 'JSON_INVALID'],
    ['a comma at the end', '{"a":1,}', 'JSON_INVALID'],
    ['a comment', '{/* */}', 'JSON_INVALID'],
    ['two objects', '{}{}', 'JSON_INVALID'],
    ['a byte order mark', '\ufeff{}', 'JSON_INVALID'],
    ['__proto__', '{"__proto__":{}}', 'JSON_INVALID'],
    ['__proto__ further down', '{"a":[{"__proto__":1}]}', 'JSON_INVALID'],
    ['an escaped __proto__', '{"\\u005f_proto__":1}', 'JSON_INVALID'],
    ['constructor and prototype, which are harmless', '{"constructor":{"prototype":{}}}', 'passes'],
    ['a NUL in a text', '{"a":"\\u0000"}', 'REQUEST_INVALID a'],
    ['a NUL in a name', '{"\\u0000":1}', 'REQUEST_INVALID body'],
    ['half a surrogate pair in a text', '{"a":"x\\ud800y"}', 'REQUEST_INVALID a'],
    ['half a surrogate pair in a name', '{"\\udc00":1}', 'REQUEST_INVALID body'],
    ['a whole surrogate pair', '{"a":"\\ud83d\\ude00"}', 'passes'],
    ['a NUL further down, named by its first field', '{"a":1,"b":{"c":["\\u0000"]}}', 'REQUEST_INVALID b'],
    ['a NUL below a name that is not repeated', '{"<b>":"\\u0000"}', 'REQUEST_INVALID body'],
    ['a NUL below a long name', `{"${'n'.repeat(65)}":"\\u0000"}`, 'REQUEST_INVALID body'],
    ['a NUL below a name of 64 characters', `{"${'n'.repeat(64)}":"\\u0000"}`, `REQUEST_INVALID ${'n'.repeat(64)}`],
  ] as const) {
    it(`a JSON body ${expected === 'passes' ? 'passes' : 'is refused'}: ${what}`, () => {
      assert.equal(
        refusal(() => parseJsonObject(bytesOf(body))),
        expected,
      );
    });
  }

  it('bytes that are not UTF-8 are refused', () => {
    for (const bytes of [
      [0x7b, 0x22, 0xff, 0x22, 0x7d],
      [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
    ])
      assert.equal(
        refusal(() => readJsonObject(Buffer.from(bytes))),
        'JSON_INVALID',
      );
  });

  it('an object is read without a check of its fields, and the check finds them', () => {
    const value = readJsonObject(bytesOf('{"a":"\\u0000"}'));
    assert.deepEqual(value, { a: '\0' });
    assert.equal(
      refusal(() => checkTree(value)),
      'REQUEST_INVALID a',
    );
  });

  for (const [name, expected] of [
    ['phone', 'phone'],
    ['a.b-c_9', 'a.b-c_9'],
    ['', 'body'],
    ['a b', 'body'],
    ['<b>', 'body'],
    ['é', 'body'],
  ] as const) {
    it(`the field ${JSON.stringify(name)} is shown as ${expected}`, () => assert.equal(shownName(name), expected));
  }
});

describe('the bytes of a body', () => {
  const requestOf = (stream: Readable, headers: Record<string, string> = {}) =>
    Object.assign(stream, { headers }) as unknown as IncomingMessage;
  const chunksOf = (...sizes: number[]) =>
    requestOf(
      Readable.from(
        sizes.map((size) => Buffer.alloc(size, 'x')),
        { objectMode: false },
      ),
    );

  for (const [sizes, total] of [
    [[], 0],
    [[5], 5],
    [[5, 7], 12],
    [[maxBodyBytes], maxBodyBytes],
    [[maxBodyBytes - 1, 1], maxBodyBytes],
  ] as const) {
    it(`a body of ${sizes.join(' + ') || '0'} bytes is read whole`, async () => {
      assert.deepEqual(await readBytes(chunksOf(...sizes)), Buffer.alloc(total, 'x'));
    });
  }

  for (const sizes of [[maxBodyBytes + 1], [maxBodyBytes, 1], [1, maxBodyBytes, maxBodyBytes]]) {
    it(`a body of ${sizes.join(' + ')} bytes is too large`, async () => {
      await assert.rejects(readBytes(chunksOf(...sizes)), { code: 'BODY_TOO_LARGE', detail: { limit: '16 KiB' } });
    });
  }

  it('a body is refused by its declared length before it is read', async () => {
    const stream = new PassThrough();
    const length = String(maxBodyBytes + 1);
    await assert.rejects(readBytes(requestOf(stream, { 'content-length': length })), { code: 'BODY_TOO_LARGE' });
    assert.equal(stream.readableDidRead, false);
    const fitting = new PassThrough();
    fitting.end('abc');
    const declared = { 'content-length': String(maxBodyBytes) };
    assert.equal((await readBytes(requestOf(fitting, declared))).toString(), 'abc');
  });

  it('a body that has arrived with its head is taken without events, up to the same size', async () => {
    const arrived = async (...sizes: number[]) => {
      const stream = new Readable({ read: () => undefined });
      for (const size of sizes) stream.push(Buffer.alloc(size, 'x'));
      stream.push(null);
      const request = Object.assign(requestOf(stream), { complete: true });
      const reading = readBytes(request);
      await Promise.resolve();
      assert.deepEqual([stream.listenerCount('data'), stream.readableFlowing], [0, null]);
      return reading;
    };
    for (const sizes of [[], [5], [5, 7], [maxBodyBytes - 1, 1]])
      assert.deepEqual(
        await arrived(...sizes),
        Buffer.alloc(
          sizes.reduce((sum, size) => sum + size, 0),
          'x',
        ),
      );
    await assert.rejects(arrived(maxBodyBytes, 1), { code: 'BODY_TOO_LARGE' });
  });

  it('a body that breaks off is refused, and no listener is left', async () => {
    for (const end of [undefined, new Error('reset')]) {
      const stream = new PassThrough();
      stream.write('abc');
      const reading = readBytes(requestOf(stream));
      setImmediate(() => stream.destroy(end));
      await assert.rejects(reading, { code: 'REQUEST_INVALID', detail: { field: 'body' } });
      assert.equal(stream.listenerCount('data'), 0);
      stream.on('error', () => undefined);
    }
  });

  it('a body that is here with its declared length is taken before Node calls the request complete', async () => {
    for (const [sizes, declared, isTaken] of [
      [[5], 5, true],
      [[5, 7], 12, true],
      [[5], 6, false],
      [[], 5, false],
    ] as const) {
      const stream = new Readable({ read: () => undefined });
      for (const size of sizes) stream.push(Buffer.alloc(size, 'x'));
      const reading = readBytes(requestOf(stream, { 'content-length': String(declared) }));
      await Promise.resolve();
      assert.equal(stream.listenerCount('data') === 0, isTaken);
      const rest = declared - sizes.reduce<number>((sum, size) => sum + size, 0);
      if (rest > 0) stream.push(Buffer.alloc(rest, 'x'));
      stream.push(null);
      assert.deepEqual(await reading, Buffer.alloc(declared, 'x'));
    }
  });
});
