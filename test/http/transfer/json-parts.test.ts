// A JSON upload, parsed in one piece: the same bytes and refusals at every chunk boundary, in bounded memory.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { uploadTimes } from '../../../src/files/upload-times.ts';
import { createJsonParts, type JsonParts } from '../../../src/http/transfer/upload-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';

const jsonParts = createJsonParts();
const mostBytes = 20 * 2 ** 20;

type Read = { readonly file: string | undefined; readonly fields: Record<string, string | undefined> };

/** The body as it would arrive from a socket, so many bytes at a time. */
async function read(body: string | Buffer, step: number): Promise<Read | string> {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
  // One at a time, because a stream would hand over everything it has ready in one piece.
  const request = { complete: true, headers: {}, [Symbol.asyncIterator]: () => Readable.from(chunks).iterator() };
  const fields: Record<string, string | undefined> = {};
  let file: string | undefined;
  try {
    for await (const part of jsonParts(request as unknown as IncomingMessage, 'ann', mostBytes)) {
      if (part.kind === 'field') fields[part.name] = part.value;
      else {
        Object.assign(fields, { name: part.name, type: part.type });
        file = '';
        for await (const piece of part.bytes) file += piece.toString('hex');
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.code, error.detail.field].filter((word) => word !== undefined).join(' ');
  }
  return { file, fields };
}

/** In single bytes, in small chunks and in one. A long body only in larger chunks, to save time. */
async function readEveryWay(body: string | Buffer): Promise<Read | string> {
  const steps = body.length < 10_000 ? [1 << 16, 1, 2, 3, 5, 7] : [1 << 16, 997, 4099];
  const [whole, ...others] = await Promise.all(steps.map((step) => read(body, step)));
  for (const other of others) assert.deepEqual(other, whole);
  return whole ?? '';
}

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('a JSON upload', () => {
  for (const [name, body, file] of [
    ['the content first', '{"content":"aGVsbG8=","type":"text/plain","purpose":"p","name":"n"}', hex('hello')],
    ['the content last', '{"name":"n","purpose":"p","type":"text/plain","content":"aGVsbG8="}', hex('hello')],
    [
      'white space everywhere',
      ' {\r\n\t"content" : "aGVsbG8" , "name":"n" ,"purpose":"p","type":"text/plain"} \n',
      hex('hello'),
    ],
    [
      'escaped names and letters',
      '{"\\u0063ontent":"\\u0061\\u0047VsbG8\\u003D","name":"\\u006e","purpose":"p","type":"text\\/plain"}',
      hex('hello'),
    ],
    [
      'slashes as PHP writes them',
      '{"content":"\\/\\/\\/\\/","name":"n","purpose":"p","type":"text\\/plain"}',
      'ffffff',
    ],
    ['the alphabet for URLs', '{"content":"__-_","name":"n","purpose":"p","type":"text/plain"}', 'ffffbf'],
    ['the last of two names', '{"name":"first","name":"n","content":"","purpose":"p","type":"text/plain"}', ''],
    [
      'unknown fields',
      '{"note":{"content":"!","list":[1,"}","\\"{"]},"content":"QQ","name":"n","purpose":"p","type":"text/plain"}',
      hex('A'),
    ],
    [
      'the last of two contents',
      '{"content":"QUJD","content":"QQ==","name":"n","purpose":"p","type":"text/plain"}',
      hex('A'),
    ],
    [
      'a number as content before the text',
      '{"content":1,"content":"QQ==","name":"n","purpose":"p","type":"text/plain"}',
      hex('A'),
    ],
  ] as const) {
    it(`a JSON upload is read with ${name}`, async () => {
      const fields = { purpose: 'p', name: 'n', type: 'text/plain' };
      assert.deepEqual(await readEveryWay(body), { file, fields });
    });
  }

  it('a JSON upload returns any number of any bytes', async () => {
    for (const size of [1, 2, 3, 50, 51, 52, 20_000, 20_001, 20_002]) {
      const bytes = randomBytes(size);
      for (const encoding of ['base64', 'base64url'] as const) {
        const got = await readEveryWay(JSON.stringify({ content: bytes.toString(encoding) }));
        assert.equal(typeof got === 'string' ? got : got.file, bytes.toString('hex'));
      }
    }
  });

  it('a JSON upload may lack every field', async () => {
    assert.deepEqual(await readEveryWay('{}'), { file: undefined, fields: {} });
  });

  const withContent = (text: string) => `{"purpose":"p","content":"${text}","name":"n"}`;
  for (const [name, body, refusal] of [
    ['nothing', '', 'JSON_INVALID'],
    ['an array', '[{"content":"QQ=="}]', 'JSON_INVALID'],
    ['a text', '"content"', 'JSON_INVALID'],
    ['a byte order mark', '\ufeff{"content":"QQ=="}', 'JSON_INVALID'],
    ['UTF-16', Buffer.from('{"content":"QQ=="}', 'utf16le'), 'JSON_INVALID'],
    ['an object cut short', '{"content":"QQ=="', 'JSON_INVALID'],
    ['content cut short', '{"content":"QUJD', 'JSON_INVALID'],
    ['an escape cut short', '{"content":"QUJD\\u00', 'JSON_INVALID'],
    ['text after it', '{"content":"QQ=="}x', 'JSON_INVALID'],
    ['a NUL after it', '{"content":"QQ=="}\0', 'JSON_INVALID'],
    ['a second object', '{"content":"QQ=="}{}', 'JSON_INVALID'],
    ['two texts without a comma', '{"content":"QQ==" "QQ=="}', 'JSON_INVALID'],
    ['no colon', '{"content" "QQ=="}', 'JSON_INVALID'],
    ['a comma at the end', '{"content":"QQ==",}', 'JSON_INVALID'],
    ['a raw line break in the content', withContent('QUJD\nQUJD'), 'JSON_INVALID'],
    ['a raw NUL in the content', withContent('QUJD\0'), 'JSON_INVALID'],
    ['an unknown escape in the content', withContent('\\x41'), 'JSON_INVALID'],
    ['a broken code in the content', withContent('\\u00g1'), 'JSON_INVALID'],
    ['bytes that are not UTF-8 in a name', Buffer.from('{"name":"\xff"}', 'latin1'), 'JSON_INVALID'],
    ['__proto__', '{"__proto__":{},"content":"QQ=="}', 'JSON_INVALID'],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)},"content":"QQ=="}`, 'JSON_INVALID'],
    ['endless brackets', `{"a":${'['.repeat(100_000)}`, 'JSON_INVALID'],
    ['a long word that is not an object', 'x'.repeat(100_000), 'JSON_INVALID'],
    ['an escaped line break in the content', withContent('QUJD\\nQUJD'), 'REQUEST_INVALID content'],
    ['an escaped NUL in the content', withContent('QUJD\\u0000'), 'REQUEST_INVALID content'],
    ['a lone surrogate in the content', withContent('QUJD\\ud800'), 'REQUEST_INVALID content'],
    ['a letter beyond base64', withContent('QUJ*'), 'REQUEST_INVALID content'],
    ['a letter beyond ASCII', withContent('QUJDé'), 'REQUEST_INVALID content'],
    ['a blank in the content', withContent('QUJD QUJD'), 'REQUEST_INVALID content'],
    ['padding in the middle', withContent('QQ==QUJD'), 'REQUEST_INVALID content'],
    ['three paddings', withContent('QQ==='), 'REQUEST_INVALID content'],
    ['one letter too many', withContent('QUJDQ'), 'REQUEST_INVALID content'],
    ['a data URL', withContent('data:image/png;base64,QUJD'), 'REQUEST_INVALID content'],
    ['content that is a number', '{"content":5}', 'REQUEST_INVALID content'],
    ['content that is null', '{"content":null}', 'REQUEST_INVALID content'],
    ['content that is a list', '{"content":["QQ=="]}', 'REQUEST_INVALID content'],
    ['content and then a number', '{"content":"QQ==","content":5}', 'REQUEST_INVALID content'],
    ['a purpose that is not text', '{"purpose":1,"content":"QQ=="}', 'REQUEST_INVALID purpose'],
    ['a name of 1025 letters', `{"name":"${'n'.repeat(1025)}"}`, 'REQUEST_INVALID name'],
    ['an endless name', `{"name":"${'n'.repeat(100_000)}"}`, 'REQUEST_INVALID name'],
    ['a NUL in the name', '{"content":"QQ==","name":"a\\u0000"}', 'REQUEST_INVALID name'],
    ['a lone surrogate in the type', '{"content":"QQ==","type":"\\ud800"}', 'REQUEST_INVALID type'],
    ['a lone surrogate further down', '{"note":[{"a":"\\ud800"}],"content":""}', 'REQUEST_INVALID note'],
    ['an endless field name', `{"${'k'.repeat(100_000)}":1}`, 'REQUEST_INVALID body'],
    ['endless white space', `{${' '.repeat(100_000)}}`, 'REQUEST_INVALID body'],
  ] as const) {
    it(`a JSON upload is refused for ${name}`, async () => {
      assert.equal(await readEveryWay(body), refusal);
    });
  }

  it('a JSON upload is accepted at 1 MiB and refused as too large one byte above', async () => {
    for (const fill of ['a??', '\xff']) {
      const bodyOf = (size: number) =>
        withContent(Buffer.alloc(size, fill, 'latin1').toString('base64').replaceAll('/', '\\/'));
      const whole = await read(bodyOf(2 ** 20), 1 << 16);
      assert.equal(typeof whole === 'string' ? whole : whole.file?.length, 2 * 2 ** 20);
      assert.equal(await read(bodyOf(2 ** 20 + 1), 1 << 16), 'FILE_TOO_LARGE');
      assert.equal(await read(bodyOf(4 * 2 ** 20), 1 << 16), 'FILE_TOO_LARGE');
    }
    assert.equal(await read(`{"name":"${'n'.repeat(4 * 2 ** 20)}"}`, 1 << 16), 'FILE_TOO_LARGE');
  });

  it('a JSON upload that is too large names the form that accepts more', async () => {
    for (const body of [withContent('QUJD'.repeat(2 ** 19)), withContent('Q'.repeat(4 * 2 ** 20))]) {
      const chunks = Readable.from([Buffer.from(body)]);
      const request = { complete: true, headers: {}, [Symbol.asyncIterator]: () => chunks.iterator() };
      const detail = { limit: '1 MiB (application/json), 20 MiB (multipart/form-data)' };
      const reading = Array.fromAsync(jsonParts(request as unknown as IncomingMessage, 'ann', mostBytes));
      await assert.rejects(reading, { code: 'FILE_TOO_LARGE', detail });
    }
  });

  /** Uploads of JSON that last until their `end`. */
  const opener =
    (parts: JsonParts) =>
    async (size: number, end: Promise<void> = Promise.resolve(), userId = 'ann', times = uploadTimes) => {
      const chunks = (async function* () {
        yield Buffer.from(withContent('A'.repeat(size)));
        await end;
      })();
      const request = { complete: true, headers: {}, [Symbol.asyncIterator]: () => chunks };
      return Array.fromAsync(parts(request as unknown as IncomingMessage, userId, mostBytes, times));
    };

  it('a JSON upload is refused while others hold the memory, and accepted once they have ended or failed', async () => {
    const open = opener(createJsonParts(4000));
    for (const settle of ['resolve', 'reject'] as const) {
      const end = Promise.withResolvers<void>();
      const slow = ['ann', 'bob', 'cid', 'dan'].map((user) => open(800, end.promise, user));
      await assert.rejects(open(900), { code: 'STORAGE_UNAVAILABLE', detail: { retryAfterSeconds: 5 } });
      assert.equal((await open(80)).length, 2);
      if (settle === 'resolve') end.resolve();
      else end.reject(new Failure('FILE_INCOMPLETE'));
      await Promise.allSettled(slow);
      assert.equal((await open(900)).length, 2);
    }
  });

  it('a JSON upload waits unread while its user has five others, and another user does not wait', async () => {
    const open = opener(createJsonParts());
    const end = Promise.withResolvers<void>();
    const slow = Array.from({ length: 5 }, () => open(80, end.promise));
    const order: string[] = [];
    const sixth = open(80).then(() => order.push('sixth'));
    await open(80, undefined, 'bob').then(() => order.push('bob'));
    const impatient = open(80, undefined, 'ann', { ...uploadTimes, idleMilliseconds: 1 });
    await assert.rejects(impatient, { code: 'STORAGE_UNAVAILABLE', detail: { retryAfterSeconds: 5 } });
    end.resolve();
    await Promise.all([...slow, sixth]);
    assert.deepEqual(order, ['bob', 'sixth']);
  });

  it('a JSON upload takes little time and memory for any object of its size', async () => {
    const most = 2_800_000;
    const nested = (piece: string, end = '') => {
      const count = Math.floor(most / (piece.length + end.length));
      return `{"a":${piece.repeat(count)}1${end.repeat(count)}}`;
    };
    for (const body of [
      `{"a":[${'[],'.repeat(most / 3)}1]}`,
      `{"a":[${'0,'.repeat(most / 2)}1]}`,
      `{"a":[${'{},'.repeat(most / 3)}1]}`,
      `{${'"":1,'.repeat(most / 5)}"b":1}`,
      nested('[', ']'),
      nested('{"a":', '}'),
      `{"content":"${'A'.repeat(1_000_000)}","a":[${'[],'.repeat(500_000)}1]}`,
    ]) {
      const begin = performance.now();
      assert.equal(await read(body, 1 << 16), 'JSON_INVALID', body.slice(0, 40));
      assert.ok(performance.now() - begin < 5000, body.slice(0, 40));
    }
  });

  it('a JSON upload gives the same result as a parser of the whole body, for any bytes', async () => {
    const text = fc.oneof(fc.string(), fc.base64String(), fc.constantFrom('QQ', 'QUJD', '', 'a/b_', 'QQ=='));
    const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('content', 'name', 'other') }, fc.string());
    const object = fc.dictionary(key, fc.oneof({ weight: 3, arbitrary: text }, fc.jsonValue({ maxDepth: 3 })));
    const broken = fc
      .tuple(object, fc.nat(), fc.constantFrom('', '"', '\\', '{', '}', ',', ':', 'x', '\0', '\\u0041'))
      .map(([value, at, insert]) => {
        const whole = JSON.stringify(value);
        const cut = at % (whole.length + 1);
        return whole.slice(0, cut) + insert + whole.slice(cut + (at % 2));
      });
    await fc.assert(
      fc.asyncProperty(broken, async (body) => {
        const got = await readEveryWay(body);
        assert.equal(typeof got === 'string' ? 'refused' : got.file, parseWhole(body), body);
      }),
      { numRuns: rounds(500), seed },
    );
  });
});

/** The file in hex, undefined if there is none, or “refused”. */
function parseWhole(body: string): string | undefined {
  try {
    const value = JSON.parse(body, (name, inner: unknown) => {
      if (name === '__proto__' || !isPlain(name) || (typeof inner === 'string' && !isPlain(inner)))
        throw new Error(name);
      return inner;
    }) as Record<string, unknown>;
    const { name = '', type = '', purpose = '', content = '' } = value;
    const isText = [name, type, purpose, content].every((each) => typeof each === 'string');
    if (!isText || !/^(?:[\w+/-]{4})*(?:[\w+/-]{2,3})?={0,2}$/.test(content as string)) return 'refused';
    return value.content === undefined ? undefined : Buffer.from(content as string, 'base64').toString('hex');
  } catch {
    return 'refused';
  }
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
