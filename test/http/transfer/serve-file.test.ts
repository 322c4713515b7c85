// Serving a file: conditions, ranges, inert headers, and who sends the bytes.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { mediaTypeNames, mediaTypes } from '#media/media-type';
import type { BlobStore, Pump } from '../../../src/files/storage/blob-store.ts';
import { smallBytes } from '../../../src/files/storage/small-blobs.ts';
import { describeFile } from '../../../src/http/transfer/file-head.ts';
import { type FileServing, serveFile } from '../../../src/http/transfer/serve-file.ts';
import { fileId, memoryBlobs, noon, recordOf } from '../../helpers/blobs/memory-files.ts';

const id = fileId(1);
const file = recordOf(id, 'hello world', { name: 'Grüße "1".txt', createdAt: noon + 999 });
const etag = `"${Buffer.from(file.sha256, 'hex').toString('base64url')}"`;
const [date, earlier, later] = [0, -1000, 1000].map((shift) => new Date(noon + shift).toUTCString()) as [
  string,
  string,
  string,
];

type Asked = {
  headers?: Record<string, string>;
  mode?: FileServing;
  blobs?: Partial<BlobStore>;
  record?: Partial<typeof file>;
  isHead?: boolean;
  wantsRedirect?: boolean;
  isAttachment?: boolean;
};

function serve({
  headers = {},
  mode = 'stream',
  blobs = {},
  record = {},
  isHead = false,
  wantsRedirect = false,
  isAttachment = false,
}: Asked = {}) {
  const parts = {
    blobs: memoryBlobs({ [id]: 'hello world' }, blobs),
    smallBlobs: async (wanted: string, size: number) => {
      assert.deepEqual([wanted, size], [id, 11]);
      return Buffer.from('hello world');
    },
    headOf: describeFile,
    clock: { now: () => noon },
    mode,
  };
  const request = { header: (name: string) => headers[name], isHead, wantsRedirect, isAttachment };
  return serveFile(parts, { ...file, ...record }, request);
}

/** The status, or the code of the failure. */
async function outcome(asked: Asked): Promise<number | string> {
  return serve(asked).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );
}

const whole = {
  'content-type': 'text/plain; charset=utf-8',
  'content-length': '11',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'cache-control': 'private, no-cache',
  'accept-ranges': 'bytes',
  etag,
  'last-modified': date,
  'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
  vary: 'Authorization, Cookie, Origin',
};

describe('the answer with a file', () => {
  it('a file is served whole, with headers that keep it inert', async () => {
    const { status, headers, content } = await serve();
    assert.deepEqual(
      [status, headers, (content as Buffer).toString()],
      [200, { ...whole, 'content-disposition': headers['content-disposition'] }, 'hello world'],
    );
    assert.match(
      headers['content-disposition'] ?? '',
      /^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22\.txt$/,
    );
    const { headers: saved } = await serve({ isAttachment: true });
    assert.match(saved['content-disposition'] ?? '', /^attachment; /);
  });

  it('HEAD has the headers of GET, ignores a range, and has no content', async () => {
    const head = await serve({ isHead: true, headers: { range: 'bytes=0-0' } });
    assert.deepEqual(head, { status: 200, headers: (await serve()).headers });
  });

  for (const type of [...mediaTypeNames, 'application/x-former'] as const) {
    it(`a file of the type ${type} cannot run script, and only sound and film may use the user's cookie for ranges`, async () => {
      const { headers } = await serve({ record: { type } });
      const family = type === 'application/x-former' ? 'none' : mediaTypes[type].family;
      const isPlayed = family === 'audio' || family === 'video';
      assert.equal(headers['content-type'], family === 'text' ? `${type}; charset=utf-8` : type);
      assert.match(headers['content-security-policy'] ?? '', isPlayed ? /; sandbox allow-same-origin$/ : /; sandbox$/);
    });
  }

  it('a text is served with the charset of its record, also to a storage that signs', async () => {
    const record = { type: 'text/csv', charset: 'windows-1252' };
    const expected = 'text/csv; charset=windows-1252';
    assert.equal((await serve({ record })).headers['content-type'], expected);
    const types: string[] = [];
    const signUrl: BlobStore['signUrl'] = (_id, { type }) => {
      types.push(type);
      return 'https://s3.example/signed';
    };
    await serve({ record, mode: 'redirect', blobs: { signUrl } });
    assert.deepEqual(types, [expected]);
  });

  it('one range is answered with its place and its bytes', async () => {
    const { status, headers, content } = await serve({ headers: { range: 'bytes=6-8' } });
    assert.deepEqual(
      [status, headers['content-range'], headers['content-length'], (content as Buffer).toString()],
      [206, 'bytes 6-8/11', '3', 'wor'],
    );
  });

  it('several ranges are answered as parts', async () => {
    const { status, headers } = await serve({ headers: { range: 'bytes=0-0,6-8' } });
    assert.equal(status, 206);
    assert.match(headers['content-type'] ?? '', /^multipart\/byteranges; boundary=/);
    assert.equal('content-range' in headers, false);
  });

  it('a range outside the file is refused with the size', async () => {
    await assert.rejects(serve({ headers: { range: 'bytes=11-' } }), {
      code: 'RANGE_NOT_SATISFIABLE',
      detail: { contentRange: 'bytes */11' },
    });
  });

  it('a range is served whole if the client has another version', async () => {
    assert.equal(await outcome({ headers: { range: 'bytes=0-0', 'if-range': etag } }), 206);
    assert.equal(await outcome({ headers: { range: 'bytes=0-0', 'if-range': '"x"' } }), 200);
    assert.equal(await outcome({ headers: { range: 'bytes=0-0', 'if-range': date } }), 206);
    assert.equal(await outcome({ headers: { range: 'bytes=0-0', 'if-range': later } }), 200);
  });
});

describe('the conditions of a request for a file', () => {
  for (const [headers, expected] of [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"x", ${etag}` }, 304],
    [{ 'if-none-match': `"x",${etag} ` }, 304],
    [{ 'if-none-match': `W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': ' * ' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '' }, 200],
    [{ 'if-none-match': etag.slice(1, -1) }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': later }, 200],
    [{ 'if-modified-since': date }, 304],
    [{ 'if-modified-since': later }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-modified-since': 'nonsense' }, 200],
    [{ 'if-match': etag }, 200],
    [{ 'if-match': `"x", ${etag}` }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': ' * ' }, 200],
    [{ 'if-match': '"x"' }, 'PRECONDITION_FAILED'],
    [{ 'if-match': `W/${etag}` }, 'PRECONDITION_FAILED'],
    [{ 'if-match': '' }, 'PRECONDITION_FAILED'],
    [{ 'if-match': '"x"', 'if-unmodified-since': later }, 'PRECONDITION_FAILED'],
    [{ 'if-match': etag, 'if-unmodified-since': earlier }, 200],
    [{ 'if-unmodified-since': date }, 200],
    [{ 'if-unmodified-since': later }, 200],
    [{ 'if-unmodified-since': earlier }, 'PRECONDITION_FAILED'],
    [{ 'if-unmodified-since': 'nonsense' }, 200],
    [{ 'if-match': etag, 'if-none-match': etag }, 304],
    [{ 'if-match': '"x"', 'if-none-match': etag }, 'PRECONDITION_FAILED'],
    [{ 'if-none-match': etag, range: 'bytes=99-' }, 304],
  ] as const) {
    it(`a request with ${JSON.stringify(headers).replaceAll(etag.slice(1, -1), 'tag')} gets ${expected}`, async () => {
      assert.equal(await outcome({ headers: headers as Record<string, string> }), expected);
      assert.equal(await outcome({ headers: headers as Record<string, string>, isHead: true }), expected);
    });
  }

  it('an answer of 304 has the headers of the file except those of its bytes, and no content', async () => {
    const { 'content-type': _type, 'content-length': _length, ...rest } = (await serve()).headers;
    assert.deepEqual(await serve({ headers: { 'if-none-match': etag } }), { status: 304, headers: rest });
  });
});

describe('who sends the bytes of a file', () => {
  const large = { size: 2 ** 20 };
  const pump: Pump = async () => undefined;
  const asked: unknown[] = [];
  const note =
    <T>(call: string, value: T) =>
    async (...given: unknown[]) => {
      asked.push([call, ...given]);
      return value;
    };
  const stream = Readable.from([]);
  const blobs = { read: note('read', stream), pump: note('pump', pump) };

  for (const [what, range, blobsOf, expected] of [
    ['a large file is pumped', undefined, blobs, ['pump', id, { start: 0, end: 2 ** 20 - 1 }, 2 ** 20]],
    [
      'a range of 256 KiB and a byte is pumped',
      'bytes=0-262144',
      blobs,
      ['pump', id, { start: 0, end: 262_144 }, 2 ** 20],
    ],
    ['a range of 256 KiB is read', 'bytes=0-262143', blobs, ['read', id, { start: 0, end: 262_143 }, 2 ** 20]],
    [
      'a large file is read from a storage without a pump',
      undefined,
      { read: blobs.read },
      ['read', id, { start: 0, end: 2 ** 20 - 1 }, 2 ** 20],
    ],
  ] as const) {
    it(what, async () => {
      asked.length = 0;
      const { content } = await serve({
        record: large,
        blobs: blobsOf as Partial<BlobStore>,
        headers: range === undefined ? {} : { range },
      });
      assert.deepEqual(asked, [expected]);
      assert.equal(content, expected[0] === 'pump' ? pump : stream);
    });
  }

  it('only a file of at most 32 KiB is taken from memory', async () => {
    asked.length = 0;
    await serve({ record: { size: smallBytes + 1 }, blobs: blobs as Partial<BlobStore> });
    assert.deepEqual(asked, [['read', id, { start: 0, end: smallBytes }, smallBytes + 1]]);
  });

  const signed: unknown[] = [];
  const signUrl: BlobStore['signUrl'] = (...given) => {
    signed.push(given);
    return 'https://s3.example/signed';
  };
  for (const [mode, wantsRedirect, isHead, canSign, isRedirect] of [
    ['redirect', false, false, true, true],
    ['redirect', true, false, true, true],
    ['redirect', false, true, true, false],
    ['redirect', false, false, false, false],
    ['auto', true, false, true, true],
    ['auto', false, false, true, false],
    ['auto', true, true, true, false],
    ['auto', true, false, false, false],
    ['stream', true, false, true, false],
    ['accel', true, false, true, false],
  ] as const) {
    const what = `${mode}, ${isHead ? 'HEAD' : 'GET'}, a client that ${wantsRedirect ? 'wants' : 'does not want'} a redirect, a storage that ${canSign ? 'signs' : 'cannot sign'}`;
    it(`a file is ${isRedirect ? 'redirected' : 'sent by the service'}: ${what}`, async () => {
      signed.length = 0;
      const { status, headers, content } = await serve({
        mode,
        wantsRedirect,
        isHead,
        blobs: canSign ? { signUrl } : {},
      });
      if (!isRedirect) return assert.deepEqual([status, headers.location, signed], [200, undefined, []]);
      const { headers: own } = await serve();
      const redirect = {
        location: 'https://s3.example/signed',
        'content-length': '0',
        'cache-control': 'private, no-store',
      };
      assert.deepEqual([status, headers, content], [302, { ...own, ...redirect }, undefined]);
      const options = {
        seconds: 120,
        now: noon,
        type: 'text/plain; charset=utf-8',
        disposition: own['content-disposition'],
      };
      assert.deepEqual(signed, [[id, options]]);
    });
  }

  const internalPath = (wanted: string) => `ab/${wanted}`;
  for (const [mode, headers, canServe, isHanded] of [
    ['accel', {}, true, true],
    ['accel', { range: 'bytes=0-0' }, true, true],
    ['accel', { 'if-none-match': '"x"' }, true, true],
    ['accel', { 'if-match': etag }, true, false],
    ['accel', { 'if-unmodified-since': later }, true, false],
    ['accel', {}, false, false],
    ['auto', {}, true, false],
    ['stream', {}, true, false],
  ] as const) {
    it(`a file is ${isHanded ? 'left to the front proxy' : 'sent by the service'}: ${mode}, ${JSON.stringify(Object.keys(headers))}, a storage that ${canServe ? 'has' : 'has no'} path for it`, async () => {
      const {
        status,
        headers: sent,
        content,
      } = await serve({ mode, headers: headers as Record<string, string>, blobs: canServe ? { internalPath } : {} });
      if (!isHanded) return assert.deepEqual([sent['x-accel-redirect'], content === undefined], [undefined, false]);
      const { 'accept-ranges': _ranges, ...own } = (await serve()).headers;
      assert.deepEqual(
        [status, sent, content],
        [200, { ...own, 'x-accel-redirect': `/internal-files/ab/${id}` }, undefined],
      );
    });
  }

  it('a file is checked before it is handed over', async () => {
    assert.equal(await outcome({ mode: 'redirect', blobs: { signUrl }, headers: { 'if-none-match': etag } }), 304);
    assert.equal(
      await outcome({ mode: 'redirect', blobs: { signUrl }, headers: { range: 'bytes=99-' } }),
      'RANGE_NOT_SATISFIABLE',
    );
    assert.equal(
      await outcome({ mode: 'accel', blobs: { internalPath }, headers: { 'if-match': '"x"' } }),
      'PRECONDITION_FAILED',
    );
  });
});
