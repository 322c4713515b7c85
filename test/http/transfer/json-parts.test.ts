// A JSON upload, parsed in one piece: the same bytes and refusals at every chunk boundary, in bounded memory.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { createJsonParts, type JsonParts } from '../../../src/http/transfer/upload-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import {
  brokenBodies,
  jsonParts,
  mostBytes,
  parseWhole,
  readJsonUpload as read,
  readInSteps,
} from '../../helpers/requests/json-upload.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';

/** In single bytes and in one piece. A long body only in one piece, to save time: the slow form cuts it too. */
const readEveryWay = (body: string | Buffer) => readInSteps(body, body.length < 1000 ? [1 << 16, 1] : [1 << 16]);

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
    for (const size of [1, 2, 3, 50, 51, 52, 20_000, 20_001]) {
      const bytes = randomBytes(size);
      for (const encoding of ['base64', 'base64url'] as const) {
        const got = await readEveryWay(JSON.stringify({ content: bytes.toString(encoding) }));
        assert.equal(typeof got === 'string' ? got : got.file, bytes.toString('hex'));
      }
    }
  });

  it('a JSON upload may have null for a field that it lacks', async () => {
    const body = '{"content":"QQ==","name":null,"type":null,"purpose":null}';
    assert.deepEqual(await readEveryWay(body), { file: hex('A'), fields: { name: undefined, type: undefined } });
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
    // Three bytes in base64, with slashes as PHP writes them; then one byte, and two.
    for (const [three, one, two] of [
      ['YT8\\/', 'YQ==', 'YT8='],
      ['\\/\\/\\/\\/', '\\/w==', '\\/\\/8='],
    ] as const) {
      const groups = three.repeat((2 ** 20 - 1) / 3);
      const whole = await read(withContent(groups + one), 1 << 16);
      assert.equal(typeof whole === 'string' ? whole : whole.file?.length, 2 * 2 ** 20);
      assert.equal(await read(withContent(groups + two), 1 << 16), 'FILE_TOO_LARGE');
    }
    assert.equal(await read(withContent('A'.repeat(4 * 2 ** 20)), 1 << 16), 'FILE_TOO_LARGE');
    assert.equal(await read(`{"name":"${'n'.repeat(4 * 2 ** 20)}"}`, 1 << 16), 'FILE_TOO_LARGE');
  });

  it('a JSON upload that is too large names the form that accepts more', async () => {
    for (const body of [withContent('QUJD'.repeat(2 ** 19)), withContent('Q'.repeat(4 * 2 ** 20))]) {
      const chunks = Readable.from([Buffer.from(body)]);
      const detail = { limit: '1 MiB (application/json), 20 MiB (multipart/form-data)' };
      const reading = Array.fromAsync(jsonParts(requestOf(chunks), asUserId('ann'), mostBytes));
      await assert.rejects(reading, { code: 'FILE_TOO_LARGE', detail });
    }
  });

  /** Uploads of JSON that last until their `end`, with the length of their body declared. */
  const opener =
    (parts: JsonParts, reads: string[] = []) =>
    async (size: number, end: Promise<void> = Promise.resolve(), userId = asUserId('ann'), signal?: AbortSignal) => {
      const body = Buffer.from(withContent('A'.repeat(size)));
      const chunks = (async function* () {
        reads.push(userId);
        yield body;
        await end;
      })();
      const headers = { 'content-length': String(body.length) };
      const request = requestOf(chunks, { headers });
      return Array.fromAsync(parts(request, userId, mostBytes, uploadTimes, signal));
    };

  it('a JSON upload waits unread while others hold the memory, and is read once one of them has ended or failed', async () => {
    for (const settle of ['resolve', 'reject'] as const) {
      const reads: string[] = [];
      const open = opener(createJsonParts(4000), reads);
      const users = ['ann', 'bob', 'cid', 'dan'];
      const ends = users.map(() => Promise.withResolvers<void>());
      const slow = users.map((user, at) => open(800, ends[at]?.promise, asUserId(user)));
      const waiting = open(900, undefined, asUserId('eve'));
      for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(reads, users);
      if (settle === 'resolve') ends[1]?.resolve();
      else ends[1]?.reject(new Failure('FILE_INCOMPLETE'));
      assert.equal((await waiting).length, 2);
      assert.deepEqual(reads, [...users, 'eve']);
      for (const { resolve } of ends) resolve();
      await Promise.allSettled(slow);
      assert.equal((await open(900, undefined, asUserId('eve'))).length, 2);
    }
  });

  it('a JSON upload is refused while too many of its user wait, and another user comes in between', async () => {
    const open = opener(createJsonParts(4000));
    const end = Promise.withResolvers<void>();
    const client = new AbortController();
    const slow = open(900, end.promise);
    const waiting = Array.from({ length: 128 }, () => open(800, undefined, asUserId('ann'), client.signal));
    const gone = waiting.map((each) => assert.rejects(each, { code: 'FILE_INCOMPLETE' }));
    const refusal = { code: 'STORAGE_UNAVAILABLE', detail: { retryAfterSeconds: 5 } };
    await assert.rejects(open(80), refusal);
    assert.equal((await open(900, undefined, asUserId('bob'))).length, 2);
    client.abort();
    await Promise.all(gone);
    end.resolve();
    await slow;
    assert.equal((await open(900)).length, 2);
  });

  it('a JSON upload waits unread while its user holds a quarter of the memory, and another user does not wait', async () => {
    const open = opener(createJsonParts(40_000));
    const end = Promise.withResolvers<void>();
    const slow = Array.from({ length: 11 }, () => open(800, end.promise));
    const order: string[] = [];
    const next = open(1200).then(() => order.push('next'));
    await open(1200, undefined, asUserId('bob')).then(() => order.push('bob'));
    end.resolve();
    await Promise.all([...slow, next]);
    assert.deepEqual(order, ['bob', 'next']);
  });

  it('a JSON upload of unknown length counts as the largest, and runs alone if it must', async () => {
    const parts = createJsonParts(4000);
    const chunks = (async function* () {
      yield Buffer.from(withContent('AAAA'));
    })();
    const request = requestOf(chunks);
    assert.equal((await Array.fromAsync(parts(request, asUserId('ann'), mostBytes))).length, 2);
  });

  it('a JSON upload stops waiting when its client is gone, and those behind it do not wait for it', async () => {
    const open = opener(createJsonParts(4000));
    const end = Promise.withResolvers<void>();
    const slow = open(800, end.promise);
    const client = new AbortController();
    const gone = open(800, undefined, asUserId('ann'), client.signal);
    const behind = open(80);
    client.abort();
    await assert.rejects(gone, { code: 'FILE_INCOMPLETE' });
    assert.equal((await behind).length, 2);
    end.resolve();
    await slow;
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
      const begin = process.cpuUsage();
      assert.equal(await read(body, 1 << 16), 'JSON_INVALID', body.slice(0, 40));
      const { user, system } = process.cpuUsage(begin);
      assert.ok(user + system < 2_000_000, body.slice(0, 40));
    }
  });

  it('a JSON upload gives the same result as a parser of the whole body, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(brokenBodies(), async (body) => {
        const got = await readInSteps(body, [1 << 16, 11]);
        assert.equal(typeof got === 'string' ? 'refused' : got.file, parseWhole(body), body);
      }),
      { numRuns: rounds(50), seed },
    );
  });
});
