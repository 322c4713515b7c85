// PATCH, HEAD, GET and DELETE /api/file/upload/{id}: fields, offsets, digests, the end of an upload and its refusals, expiry.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { newUploadId } from '../../../../../src/files/resumable/resumable-upload.ts';
import type { FailureCode } from '../../../../../src/kernel/failure.ts';
import { enter } from '../../../../helpers/people/users.ts';
import { call } from '../../../../helpers/requests/api.ts';
import { checkRefusal, request, sendRaw } from '../../../../helpers/requests/raw-request.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { partial, send, uploaderAt, uploads } from '../../../../helpers/uploads/resumable.ts';
import { pngFile, textFile, wavFile } from '../../../../helpers/uploads/sample-files.ts';

const csv = 'Content-Type: text/csv';
const begun = ['Upload-Complete: ?0', csv];
const fields = (offset: number | string, complete = '?0') => [
  `Upload-Offset: ${offset}`,
  `Upload-Complete: ${complete}`,
];

for (const kind of tierStoreKinds)
  describe(`appending to an upload on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_UPLOADS_PER_USER: 'off', UPLOAD_LIFE: '5m' });
    let token = '';
    let user: ReturnType<typeof uploaderAt>;
    before(async () => {
      token = (await enter(stage.url)).JWT;
      user = uploaderAt(stage.url, token);
    });
    /** A new upload with its first ten bytes. */
    const ten = async (headers: readonly string[] = begun, query?: string) =>
      (await user.create(headers, '0123456789', query)).headers.location ?? assert.fail('no upload');
    const patch = (path: string, headers: readonly string[], body: string | Buffer = 'abc') =>
      send({ url: stage.url, token, method: 'PATCH', path, headers, body });

    it('an append at another offset is refused with the right one, and changes nothing', async () => {
      const path = await ten();
      for (const offset of [0, 9, 11, 999_999_999_999_999]) {
        const reply = await patch(path, [partial, ...fields(offset)]);
        assert.equal(reply.outcome, '409 UPLOAD_OFFSET_WRONG 10 ?0');
        assert.equal(reply.headers['cache-control'], 'no-store');
      }
      assert.equal((await user.head(path)).outcome, '200 10 ?0');
    });

    for (const [what, field, headers] of [
      ['no offset', 'upload-offset', [partial, 'Upload-Complete: ?0']],
      ['no Upload-Complete', 'upload-complete', [partial, 'Upload-Offset: 10']],
      ['a huge offset', 'upload-offset', [partial, ...fields('1'.repeat(2000))]],
      ['an offset with a fraction', 'upload-offset', [partial, ...fields('10.0')]],
      ['a list of offsets', 'upload-offset', [partial, ...fields('10, 10')]],
      ['two offsets', 'upload-offset', [partial, ...fields(10), 'Upload-Offset: 10']],
      ['a negative offset', 'upload-offset', [partial, ...fields(-10)]],
      ['two kinds of Upload-Complete', 'upload-complete', [partial, ...fields(10), 'Upload-Complete: ?1']],
      ['a length that does not fit', 'upload-length', [partial, ...fields(10, '?1'), 'Upload-Length: 14']],
    ] as const)
      it(`an append with ${what} is refused, and the message names the field`, async () => {
        const path = await ten();
        const reply = await patch(path, headers);
        assert.ok(checkRefusal(reply, 'REQUEST_INVALID').message.includes(field), reply.body);
        assert.equal(reply.headers['upload-complete'] ?? '?0', '?0');
        assert.equal((await user.head(path)).outcome, '200 10 ?0');
      });

    it('an append needs the type of a part, also if it is empty', async () => {
      const path = await ten();
      for (const type of ['application/offset+octet-stream', 'application/octet-stream', 'text/csv', '*/*', '']) {
        const reply = await patch(path, [`Content-Type: ${type}`, ...fields(10)]);
        checkRefusal(reply, 'MEDIA_TYPE_UNSUPPORTED');
        assert.deepEqual(
          [reply.headers['upload-complete'], reply.headers['accept-patch']],
          ['?0', 'application/partial-upload'],
        );
      }
      checkRefusal(await patch(path, fields(10), ''), 'MEDIA_TYPE_UNSUPPORTED');
      assert.equal((await patch(path, [partial, ...fields(10)], '')).outcome, '200 10 ?0');
    });

    it('parameters of the fields are ignored, as in every structured field', async () => {
      const path = await ten();
      const reply = await patch(path, [partial, ...fields('10;a=1', '?0; b="c"'), 'Upload-Length: 20;d']);
      assert.equal(reply.outcome, '200 13 ?0');
      assert.equal((await user.head(path)).headers['upload-length'], '20');
    });

    it('a complete upload takes nothing more, says so as HEAD does, and repeats its answer to an empty request', async () => {
      const path = await ten();
      const stored = await user.append(path, 10, '?1', '\n');
      assert.equal(stored.outcome, '201 11 ?1');
      assert.equal((await user.append(path, 11, '?1', 'x')).outcome, '400 REQUEST_INVALID 11 ?1');
      assert.equal((await user.append(path, 11, '?0', 'x')).outcome, '400 REQUEST_INVALID 11 ?1');
      assert.equal((await user.append(path, 11, '?0', '')).outcome, '400 REQUEST_INVALID 11 ?1');
      assert.equal((await user.append(path, 10, '?1', '\n')).outcome, '409 UPLOAD_OFFSET_WRONG 11 ?0');
      assert.equal((await user.append(path, 11, '?1', '', ['Upload-Length: 9'])).outcome, '400 REQUEST_INVALID 11 ?1');
      const digest = `Content-Digest: sha-256=:${hash('sha256', 'x', 'base64')}:`;
      assert.equal((await user.append(path, 11, '?1', '', [digest])).outcome, '422 FILE_DIGEST_MISMATCH 11 ?0');
      const again = await user.append(path, 11, '?1', '');
      assert.deepEqual([again.outcome, again.envelope.data], [stored.outcome, stored.envelope.data]);
      assert.equal((await user.head(path)).outcome, '200 11 ?1');
    });

    it('a request with a Content-Digest counts as a whole or not at all', async () => {
      const path = await ten();
      const digest = (text: string) => `Content-Digest: sha-256=:${hash('sha256', text, 'base64')}:, unknown=:AAAA:`;
      assert.equal(
        (await user.append(path, 10, '?0', 'abc', [digest('abd')])).outcome,
        '422 FILE_DIGEST_MISMATCH 10 ?0',
      );
      assert.equal(
        (await user.append(path, 10, '?0', 'abc', ['Content-Digest: sha-256=1'])).outcome,
        '400 REQUEST_INVALID ?0',
      );
      assert.equal((await user.append(path, 10, '?0', 'abc', [digest('abc')])).outcome, '200 13 ?0');
      const bad = await user.create([...begun, digest('abd')], 'abc');
      assert.equal(bad.outcome, '422 FILE_DIGEST_MISMATCH 0 ?0');
      assert.equal((await user.head(bad.headers.location ?? '')).outcome, '200 0 ?0');
    });

    it('OPTIONS of an upload tells what it takes, without a sign-in and for any id', async () => {
      for (const path of [await ten(), `${uploads}/${newUploadId()}`, `${uploads}/%ff`]) {
        const [reply] = await sendRaw(stage.url, request(`OPTIONS ${path}`));
        assert.equal(reply?.status, 204);
        assert.deepEqual(
          [reply.headers['accept-patch'], reply.headers.allow, 'upload-limit' in reply.headers],
          ['application/partial-upload', 'DELETE, GET, HEAD, OPTIONS, PATCH', true],
        );
      }
    });

    it('an upload keeps its length: fewer bytes at its end are refused, and more end it', async () => {
      const path = await ten([...begun, 'Upload-Length: 20']);
      const short = await user.append(path, 10, '?1', 'abc');
      assert.ok(checkRefusal(short, 'REQUEST_INVALID').message.includes('upload-length'));
      const other = await user.append(path, 10, '?0', 'abc', ['Upload-Length: 30']);
      assert.ok(checkRefusal(other, 'REQUEST_INVALID').message.includes('upload-length'));
      const { received } = (({ headers }) => ({ received: Number(headers['upload-offset']) }))(await user.head(path));
      const long = await user.append(path, received, '?1', 'a'.repeat(21 - received));
      assert.equal(long.outcome, `400 REQUEST_INVALID ${received} ?1`);
      assert.ok(checkRefusal(long, 'REQUEST_INVALID').message.includes('upload-length'));
      assert.equal((await user.head(path)).status, 404);
    });

    it('an upload that waits too long has expired; each byte renews its time', async () => {
      const path = await ten();
      stage.clock.advance(200);
      assert.equal((await user.append(path, 10, '?0', 'x')).outcome, '200 11 ?0');
      stage.clock.advance(200);
      assert.equal((await user.head(path)).outcome, '200 11 ?0');
      stage.clock.advance(101);
      for (const reply of [await user.show(path), await user.append(path, 11, '?0', 'x'), await user.cancel(path)])
        checkRefusal(reply, 'UPLOAD_EXPIRED');
    });

    it('an upload of another user, an unknown id and a malformed id are not found alike', async () => {
      const path = await ten();
      const stranger = uploaderAt(stage.url, (await enter(stage.url)).JWT);
      const paths = [
        path,
        `${uploads}/${newUploadId()}`,
        `${uploads}/nothing`,
        `${uploads}/%ff`,
        `${uploads}/${'a'.repeat(300)}`,
      ];
      for (const ask of [stranger.show, stranger.cancel, (at: string) => stranger.append(at, 10, '?1', '')]) {
        const replies = await Promise.all(paths.map(ask));
        for (const reply of replies) {
          checkRefusal(reply, 'UPLOAD_NOT_FOUND');
          const { date: _, 'x-request-id': __, ...headers } = reply.headers;
          const { date: ___, 'x-request-id': ____, ...expected } = replies[0]?.headers ?? {};
          assert.deepEqual([headers, reply.body], [expected, replies[0]?.body]);
        }
      }
      assert.equal((await user.head(path)).outcome, '200 10 ?0');
    });

    const png = pngFile();
    const wrong = `Repr-Digest: sha-256=:${Buffer.alloc(32).toString('base64')}:`;
    const refused: readonly (readonly [FailureCode, string, readonly string[], Buffer])[] = [
      ['FILE_EMPTY', 'document', [], Buffer.alloc(0)],
      ['FILE_TYPE_NOT_ALLOWED', 'image', [], textFile],
      ['FILE_TYPE_MISMATCH', 'image', ['Content-Type: image/jpeg'], png],
      ['FILE_CORRUPT', 'image', [], png.subarray(0, -5)],
      ['FILE_IMAGE_TOO_LARGE', 'avatar', [], pngFile(9000, 1)],
      ['FILE_DIGEST_MISMATCH', 'image', [wrong], png],
    ];
    for (const [code, purpose, headers, bytes] of refused)
      it(`an upload whose file is refused with ${code} has ended with that answer`, async () => {
        const created = await user.create(['Upload-Complete: ?0', ...headers], '', `?purpose=${purpose}`);
        const { location = '' } = created.headers;
        const reply = await user.append(location, 0, '?1', bytes);
        assert.equal(checkRefusal(reply, code).success, false);
        assert.equal(reply.headers['upload-complete'], '?1');
        assert.equal((await user.head(location)).status, 404);
      });

    it('an upload with a key that another file has used is refused when its bytes differ', async () => {
      const key = 'Idempotency-Key: used';
      await user.create(['Upload-Complete: ?1', csv, key], textFile);
      const { location = '' } = (await user.create([...begun, key])).headers;
      assert.match((await user.append(location, 0, '?1', 'c,d\n')).outcome, /^422 IDEMPOTENCY_KEY_REUSED .*\?1$/);
    });

    it('an append of chunks of one byte is refused as malformed', async () => {
      const path = await ten();
      const head = request(`PATCH ${path}`, [
        `Authorization: Bearer ${token}`,
        partial,
        ...fields(10),
        'Transfer-Encoding: chunked',
      ]);
      const [reply] = await sendRaw(stage.url, Buffer.concat([head, Buffer.from('1\r\na\r\n'.repeat(40_000))]));
      checkRefusal(reply, 'FILE_MALFORMED');
      assert.match((await user.head(path)).outcome, /^200 \d+ \?0$/);
    });

    it('many appends of one byte keep the order of their bytes, and the quota is exact', async () => {
      const path = await ten();
      const before = (await call(stage.url, 'GET', '/api/file/purposes', { token })).body.data.quota;
      for (let offset = 10; offset < 40; offset++)
        assert.equal((await user.append(path, offset, '?0', String(offset % 10))).outcome, `200 ${offset + 1} ?0`);
      const stored = await user.append(path, 40, '?1', '');
      const after = (await call(stage.url, 'GET', '/api/file/purposes', { token })).body.data.quota;
      assert.deepEqual([after.usedBytes - before.usedBytes, after.usedFiles - before.usedFiles], [40, 1]);
      const file = await fetch(`${stage.url}${stored.headers.location}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(await file.text(), '0123456789'.repeat(4));
    });

    it('a request beyond the announced size is taken, and two uploads do not mix', async () => {
      const wav = wavFile(300_000);
      const [one, other] = [await user.create(['Upload-Complete: ?0'], '', '?purpose=audio'), await ten()];
      const halves = [wav.subarray(0, 150_000), wav.subarray(150_000)] as const;
      await user.append(one.headers.location ?? '', 0, '?0', halves[0]);
      await user.append(other, 10, '?0', 'abc');
      const stored = await user.append(one.headers.location ?? '', 150_000, '?1', halves[1]);
      assert.deepEqual([stored.outcome, stored.envelope.data.size], [`201 ${wav.length} ?1`, wav.length]);
    });
  });
