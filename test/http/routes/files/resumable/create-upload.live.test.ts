// POST /api/file/upload with Upload-Complete: the life of an upload in several requests by raw HTTP, and how each field is read.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { enter } from '../../../../helpers/people/users.ts';
import { call } from '../../../../helpers/requests/api.ts';
import { checkRefusal, request, sendRaw } from '../../../../helpers/requests/raw-request.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { uploaderAt, uploads } from '../../../../helpers/uploads/resumable.ts';
import { pngFile, textFile, wavFile } from '../../../../helpers/uploads/sample-files.ts';

const csv = 'Content-Type: text/csv';
const version = 'Upload-Draft-Interop-Version: 8';
const limit = 'max-size=26214400, max-append-size=50000000, max-age=86400';
const place = /^\/api\/file\/upload\/upl_[\w-]{22}$/;
const mebibyte = 2 ** 20;

for (const kind of tierStoreKinds)
  describe(`an upload in several requests on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_UPLOADS_PER_USER: 'off', FILE_QUOTA: '40MiB' });
    let token = '';
    let user: ReturnType<typeof uploaderAt>;
    before(async () => {
      token = (await enter(stage.url)).JWT;
      user = uploaderAt(stage.url, token);
    });
    const usage = async (who = token) =>
      (await call(stage.url, 'GET', '/api/file/purposes', { token: who })).body.data.quota;
    const stranger = async () => {
      const { JWT } = await enter(stage.url);
      return { JWT, ...uploaderAt(stage.url, JWT) };
    };

    it('an upload goes from its creation over its parts to the file, and every answer tells where it is', async () => {
      const created = await user.create(
        ['Upload-Complete: ?0', `Upload-Length: ${textFile.length}`, csv],
        '',
        '?purpose=document&name=people.csv',
      );
      assert.equal(created.outcome, '201 0 ?0');
      const { location = '' } = created.headers;
      assert.match(location, place);
      assert.equal(created.headers['upload-limit'], limit);
      assert.equal(created.headers['cache-control'], 'no-store');
      assert.deepEqual(created.envelope.data, {
        id: location.slice(uploads.length + 1),
        url: location,
        offset: 0,
        length: textFile.length,
        complete: false,
        expiresAt: new Date(stage.clock.now() + 86_400_000).toISOString(),
        file: null,
      });
      const appended = await user.append(location, 0, '?0', textFile.subarray(0, 10));
      assert.equal(appended.outcome, '200 10 ?0');
      assert.equal(appended.envelope.data.offset, 10);
      const head = await user.head(location);
      assert.deepEqual(
        [head.outcome, head.headers['upload-length'], head.headers['upload-limit'], head.headers['cache-control']],
        ['200 10 ?0', String(textFile.length), limit, 'no-store'],
      );
      const stored = await user.append(location, 10, '?1', textFile.subarray(10));
      assert.equal(stored.outcome, `201 ${textFile.length} ?1`);
      const { id, name, type, size } = stored.envelope.data;
      assert.deepEqual([name, type, size], ['people.csv', 'text/csv', textFile.length]);
      assert.equal(stored.headers.location, `/file/${id}`);
      const shown = await user.show(location);
      assert.equal(shown.outcome, `200 ${textFile.length} ?1`);
      assert.deepEqual([shown.envelope.data.complete, shown.envelope.data.file], [true, stored.envelope.data]);
      const again = await user.append(location, textFile.length, '?1', '');
      assert.deepEqual([again.outcome, again.envelope.data], [stored.outcome, stored.envelope.data]);
      const file = await fetch(`${stage.url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } });
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), textFile);
    });

    it('a name with NUL begins an upload on every database, and is cleaned like any other', async () => {
      const named = "Content-Disposition: attachment; filename*=UTF-8''a%00b.csv";
      const reply = await user.create(['Upload-Complete: ?1', csv, named], textFile);
      assert.deepEqual([reply.status, reply.envelope.data.name], [201, 'ab.csv']);
    });

    it('an upload whose first request is the whole file answers like a plain upload', async () => {
      const reply = await user.create(['Upload-Complete: ?1', 'Content-Type: image/png'], pngFile(), '?purpose=image');
      assert.equal(reply.outcome, `201 ${pngFile().length} ?1`);
      assert.deepEqual([reply.envelope.data.type, reply.interim], ['image/png', []]);
      assert.equal(reply.headers.location, reply.envelope.data.url);
    });

    it('an upload of unknown length comes in chunks, and its length comes at its end', async () => {
      const chunked = ['Transfer-Encoding: chunked', csv];
      const [created] = await sendRaw(
        stage.url,
        Buffer.concat([
          request(`POST ${uploads}?purpose=document`, [
            `Authorization: Bearer ${token}`,
            'Upload-Complete: ?0',
            ...chunked,
          ]),
          Buffer.from('4\r\na,b\n\r\n0\r\n\r\n'),
        ]),
      );
      const { location = '' } = created?.headers ?? {};
      const head = await user.head(location);
      assert.deepEqual([head.outcome, 'upload-length' in head.headers], ['200 4 ?0', false]);
      assert.equal((await user.append(location, 4, '?0', '1,2\n')).envelope.data.length, null);
      const stored = await user.append(location, 8, '?1', '3,4\n');
      assert.deepEqual([stored.outcome, stored.envelope.data.size], ['201 12 ?1', 12]);
    });

    it('OPTIONS tells the limits before an upload begins, without a sign-in', async () => {
      const [reply] = await sendRaw(stage.url, request(`OPTIONS ${uploads}`));
      assert.equal(reply?.status, 204);
      assert.equal(reply?.headers['upload-limit'], 'max-size=209715200, max-append-size=50000000, max-age=86400');
      assert.equal(reply?.headers.allow, 'OPTIONS, POST');
      assert.equal(reply?.headers['accept-patch'], 'application/partial-upload');
    });

    for (const [what, field, headers] of [
      ['a number for Upload-Complete', 'upload-complete', ['Upload-Complete: 1']],
      ['an empty parameter of Upload-Complete', 'upload-complete', ['Upload-Complete: ?1;']],
      ['a list in Upload-Complete', 'upload-complete', ['Upload-Complete: ?0, ?0']],
      ['two Upload-Complete', 'upload-complete', ['Upload-Complete: ?0', 'Upload-Complete: ?0']],
      ['a length of 16 digits', 'upload-length', ['Upload-Complete: ?0', 'Upload-Length: 1000000000000000']],
      ['a length with a fraction', 'upload-length', ['Upload-Complete: ?0', 'Upload-Length: 5.0']],
      ['a negative length', 'upload-length', ['Upload-Complete: ?0', 'Upload-Length: -5']],
      ['two lengths', 'upload-length', ['Upload-Complete: ?0', 'Upload-Length: 5', 'Upload-Length: 5']],
      ['two lengths that differ', 'upload-length', ['Upload-Complete: ?1', 'Upload-Length: 7']],
      ['two versions', 'upload-draft-interop-version', ['Upload-Complete: ?0', version, version]],
      ['a form', 'content-type', ['Upload-Complete: ?0', 'Content-Type: multipart/form-data; boundary=x']],
    ] as const)
      it(`a creation with ${what} is refused, and the message names the field`, async () => {
        const reply = await user.create(headers, 'abcd');
        assert.ok(checkRefusal(reply, 'REQUEST_INVALID').message.includes(field), reply.body);
      });

    it('an upload needs a known purpose, and is refused at once if its length exceeds the purpose or the quota', async () => {
      const { JWT, create, cancel } = await stranger();
      const length = (bytes: number) => ['Upload-Complete: ?0', `Upload-Length: ${bytes}`];
      assert.equal((await create(length(5), '', '')).outcome, '400 FILE_PURPOSE_REQUIRED ?1');
      assert.equal((await create(length(5), '', '?purpose=holiday')).outcome, '422 FILE_PURPOSE_UNKNOWN ?1');
      const large = await create(length(25 * mebibyte + 1));
      assert.equal(large.outcome, '413 FILE_TOO_LARGE ?1');
      assert.equal(large.headers['upload-limit'], 'max-size=26214400, max-append-size=50000000');
      assert.match((await create(length(999_999_999_999_999))).outcome, /^413 FILE_TOO_LARGE/);
      assert.match((await create(length(40 * mebibyte + 1), '', '?purpose=video')).outcome, /^403 FILE_QUOTA_EXCEEDED/);
      const held = await create(length(40 * mebibyte), '', '?purpose=video');
      assert.equal(held.outcome, '201 0 ?0');
      assert.match((await create(length(1))).outcome, /^403 FILE_QUOTA_EXCEEDED/);
      assert.equal((await cancel(held.headers.location ?? '')).outcome, '200');
      assert.equal((await create(length(1))).outcome, '201 0 ?0');
      assert.deepEqual([(await usage(JWT)).usedBytes, (await usage(JWT)).usedFiles], [0, 0]);
    });

    it('a declared length is reserved: also many small parts at a full quota reach its end', async () => {
      const { JWT, create, append } = await stranger();
      const rest = await create(['Upload-Complete: ?0', `Upload-Length: ${40 * mebibyte - 100}`], '', '?purpose=video');
      assert.equal(rest.outcome, '201 0 ?0');
      const created = await create(['Upload-Complete: ?0', 'Upload-Length: 100', csv], '');
      const { location = '' } = created.headers;
      for (let offset = 0; offset < 99; offset++)
        assert.equal((await append(location, offset, '?0', 'a')).outcome, `200 ${offset + 1} ?0`);
      assert.equal((await append(location, 99, '?1', '\n')).outcome, '201 100 ?1');
      assert.equal((await usage(JWT)).usedBytes, 100);
    });

    it('the list of open uploads shows the own ones, newest first, page by page, until they end', async () => {
      const { JWT, create, append, cancel } = await stranger();
      const named = (name: string) => `?purpose=document&name=${name}`;
      const first = await create(['Upload-Complete: ?0', 'Upload-Length: 8', csv], 'a,b\n', named('first.csv'));
      stage.clock.advance(1);
      const second = await create(['Upload-Complete: ?0', csv], '', '?purpose=document');
      const listed = async (query = '') =>
        (await call(stage.url, 'GET', `/api/file/uploads${query}`, { token: JWT })).body.data;
      const { uploads: newest, next } = await listed('?limit=1');
      const { id, url, offset, length } = second.envelope.data;
      assert.deepEqual(newest, [
        {
          ...{ id, url, offset, length, purpose: 'document', name: null },
          createdAt: new Date(stage.clock.now()).toISOString(),
          expiresAt: second.envelope.data.expiresAt,
        },
      ]);
      const last = await listed(`?limit=1&cursor=${next}`);
      assert.deepEqual(
        [last.uploads.length, last.uploads[0].name, last.uploads[0].offset, last.uploads[0].length, last.next],
        [1, 'first.csv', 4, 8, null],
      );
      assert.deepEqual(
        (await call(stage.url, 'GET', '/api/file/uploads', { token: (await stranger()).JWT })).body.data,
        {
          uploads: [],
          next: null,
        },
      );
      await append(first.headers.location ?? '', 4, '?1', '1,2\n');
      await cancel(second.headers.location ?? '');
      assert.deepEqual(await listed(), { uploads: [], next: null });
    });

    it('an upload of unknown length ends when it exceeds its purpose', async () => {
      const { create, append } = await stranger();
      const { location = '' } = (await create(['Upload-Complete: ?0'], wavFile(5 * mebibyte), '?purpose=avatar'))
        .headers;
      assert.equal((await append(location, 5 * mebibyte, '?0', 'a')).outcome, '413 FILE_TOO_LARGE 5242880 ?1');
      assert.equal((await append(location, 5 * mebibyte, '?0', 'a')).outcome, '404 UPLOAD_NOT_FOUND ?0');
    });

    it('a creation that is repeated with its Idempotency-Key gives the same upload, and later the same file', async () => {
      const key = ['Upload-Complete: ?0', `Upload-Length: ${textFile.length}`, 'Idempotency-Key: one-key', csv];
      const first = await user.create(key);
      const { location = '' } = first.headers;
      const again = await user.create(key);
      assert.deepEqual([again.outcome, again.headers.location], ['201 0 ?0', location]);
      assert.equal((await user.create(key, textFile.subarray(0, 10))).outcome, '201 10 ?0');
      const behind = await user.create(key, textFile.subarray(0, 10));
      assert.deepEqual([behind.outcome, behind.headers.location], ['409 UPLOAD_OFFSET_WRONG 10 ?0', location]);
      const stored = await user.append(location, 10, '?1', textFile.subarray(10));
      const whole = ['Upload-Complete: ?1', 'Idempotency-Key: one-key', csv];
      const repeated = await user.create(whole, textFile);
      assert.deepEqual([repeated.outcome, repeated.envelope.data.id], [stored.outcome, stored.envelope.data.id]);
      const digest = `Repr-Digest: sha-256=:${Buffer.from(stored.envelope.data.sha256, 'hex').toString('base64')}:`;
      const known = await user.create([...key, digest]);
      assert.deepEqual([known.outcome, known.envelope.data.id], [stored.outcome, stored.envelope.data.id]);
      assert.equal((await user.create(whole, 'c,d\n')).outcome, '422 IDEMPOTENCY_KEY_REUSED 4 ?1');
    });

    it('a refusal stays readable while the client is still sending', async () => {
      const head = request(`POST ${uploads}?purpose=avatar`, [
        `Authorization: Bearer ${token}`,
        'Upload-Complete: ?1',
        'Content-Length: 90000000',
      ]);
      const [reply] = await sendRaw(stage.url, Buffer.concat([head, Buffer.alloc(2 * mebibyte)]));
      assert.equal(checkRefusal(reply, 'FILE_TOO_LARGE').success, false);
    });
  });
