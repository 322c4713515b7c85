// POST /api/file/upload: three request forms, one pipeline, every rule on each of them.
import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { call, newPhone, readEnvelope, signIn } from '../../../../helpers/requests/api.ts';
import { bodyIn, type Form, formData, forms, type UploadRequest, upload } from '../../../../helpers/requests/upload.ts';
import {
  type Gatehouse,
  isolatedEnv,
  startGatehouse,
  type TestEnv,
  tierStoreKinds,
} from '../../../../helpers/services/gatehouse.ts';
import { pngFile, textFile, wavFile } from '../../../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

for (const kind of tierStoreKinds) {
  describe(`uploads on ${kind}`, () => {
    let service: Gatehouse;
    let dispose: () => Promise<void>;
    let env: TestEnv;
    let token: string;
    before(async () => {
      const isolated = await isolatedEnv(kind, { LIMIT_UPLOADS_PER_USER: 'off', FILE_QUOTA: '64MiB' });
      dispose = isolated.dispose;
      env = isolated.env;
      service = await startGatehouse(isolated.env);
      token = (await signIn(service.url, newPhone())).JWT;
    });
    after(async () => {
      assert.deepEqual(readdirSync(join(env.DATA_DIR ?? '', 'files', 'spool')), [], 'no spool stays behind');
      await service.stop();
      await dispose();
    });
    const codeOf = async (form: Form, request: Omit<UploadRequest, 'token'>) => {
      const reply = await upload(service.url, {
        form,
        ...request,
        token,
      });
      return `${reply.status} ${reply.body.codeError}`;
    };

    for (const form of forms) {
      it(`an upload sent as ${form} stores the file and returns its record`, async () => {
        const bytes = pngFile(4, 5);
        const reply = await upload(service.url, {
          form,
          bytes,
          purpose: 'image',
          name: 'Bild ä.png',
          type: 'image/png',
          token,
        });
        assert.equal(reply.status, 201, reply.body.message);
        const { id, createdAt, ...record } = reply.body.data;
        assert.match(id, /^fil_[A-Za-z0-9_-]{22}$/);
        assert.equal(reply.headers.get('location'), `/file/${id}`);
        assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
        assert.deepEqual(record, {
          purpose: 'image',
          name: 'Bild ä.png',
          type: 'image/png',
          size: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          width: 4,
          height: 5,
          url: `/file/${id}`,
        });
        const got = await fetch(`${service.url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } });
        assert.deepEqual(Buffer.from(await got.arrayBuffer()), bytes);
      });

      it(`a bad upload sent as ${form} is refused with the right code`, async () => {
        const png = pngFile();
        assert.equal(await codeOf(form, { bytes: png }), '400 FILE_PURPOSE_REQUIRED');
        assert.equal(await codeOf(form, { bytes: Buffer.alloc(0), purpose: 'image' }), '400 FILE_EMPTY');
        const jpeg = { bytes: png, purpose: 'image', type: 'image/jpeg' };
        assert.equal(await codeOf(form, jpeg), '422 FILE_TYPE_MISMATCH');
        assert.equal(await codeOf(form, { bytes: wavFile(5 * 2 ** 20 + 2), purpose: 'avatar' }), '413 FILE_TOO_LARGE');
        const wrong = { 'repr-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` };
        assert.equal(await codeOf(form, { bytes: png, purpose: 'image', headers: wrong }), '422 FILE_DIGEST_MISMATCH');
      });

      it(`an upload sent as ${form} with a Content-Digest is stored only if its body is the one that was sent`, async () => {
        const send = async (digestOf: (body: Buffer) => string) => {
          const { body, type } = await bodyIn(form, pngFile());
          const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-digest': digestOf(body) };
          const url = `${service.url}/api/file/upload${form === 'raw' ? '?purpose=image' : ''}`;
          const reply = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
          return `${reply.status} ${readEnvelope(await reply.text()).codeError}`;
        };
        const digest = (algorithm: 'sha256' | 'sha512', bytes: Buffer) =>
          `sha-${algorithm.slice(3)}=:${hash(algorithm, bytes, 'base64')}:`;
        const right = (body: Buffer) => `${digest('sha256', body)}, ${digest('sha512', body)}`;
        assert.equal(await send(right), '201 null');
        const wrong = (body: Buffer) => `${digest('sha256', body)}, ${digest('sha512', body.subarray(1))}`;
        assert.equal(await send(wrong), '422 FILE_DIGEST_MISMATCH');
        assert.equal(await send(() => 'sha-256=1'), '400 REQUEST_INVALID');
      });

      it(`an upload sent as ${form} with a known Idempotency-Key repeats the answer, and other bytes are refused`, async () => {
        const headers = { 'idempotency-key': `key-${form.replace(' ', '-')}` };
        const first = await upload(service.url, {
          form,
          bytes: textFile,
          purpose: 'document',
          headers,
          token,
        });
        const again = await upload(service.url, {
          form,
          bytes: textFile,
          purpose: 'document',
          headers,
          token,
        });
        assert.equal(first.status, 201, first.body.message);
        assert.deepEqual(again.body, first.body);
        assert.equal(await codeOf(form, { bytes: pngFile(), purpose: 'image', headers }), '422 IDEMPOTENCY_KEY_REUSED');
      });
    }

    it('an upload gets Retry-After while an upload with the same Idempotency-Key is in progress', async () => {
      const headers = { 'idempotency-key': 'key-of-two' };
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      async function* slowly() {
        yield textFile.subarray(0, 1);
        await mayEnd;
        yield textFile.subarray(1);
      }
      const slow = fetch(`${service.url}/api/file/upload?purpose=document&name=a.txt`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
        body: slowly(),
        duplex: 'half',
      });
      await waitUntil(
        'the first upload has begun',
        async () => (await askStore(env, 'select id from uploads')).length > 0,
      );
      const reply = await upload(service.url, { bytes: textFile, purpose: 'document', headers, token });
      end();
      assert.equal((await slow).status, 201);
      assert.deepEqual([reply.body.codeError, reply.headers.get('retry-after')], ['UPLOAD_IN_PROGRESS', '5']);
    });

    it('an upload needs an access token before its body is read', async () => {
      const reply = await call(service.url, 'POST', '/api/file/upload', { body: { purpose: 'image', content: '' } });
      assert.equal(reply.body.codeError, 'ACCESS_TOKEN_MISSING');
    });

    for (const [what, bytes, purpose, expected] of [
      ['an unknown purpose', pngFile(), 'holiday', '422 FILE_PURPOSE_UNKNOWN'],
      ['a type that the purpose does not allow', pngFile(), 'audio', '415 FILE_TYPE_NOT_ALLOWED'],
      ['a page', Buffer.from('<html><script>1</script>'), 'document', '415 FILE_TYPE_NOT_ALLOWED'],
      ['bytes after the end', Buffer.concat([pngFile(), Buffer.from('more')]), 'image', '422 FILE_CORRUPT'],
      ['too long a side', pngFile(9000, 1), 'avatar', '422 FILE_IMAGE_TOO_LARGE'],
    ] as const) {
      it(`an upload is refused for ${what}`, async () => {
        assert.equal(await codeOf('raw', { bytes, purpose }), expected);
      });
    }

    it('an upload with two different purposes, with two files or without a file is refused', async () => {
      const data = formData('multipart', pngFile(), 'image', 'a.png', 'image/png');
      const sendForm = async (path: string, body: FormData) => {
        const response = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body,
        });
        return readEnvelope(await response.text()).codeError;
      };
      assert.equal(await sendForm('/api/file/upload?purpose=avatar', data), 'REQUEST_INVALID');
      data.append('file', new Blob(['x']), 'b.txt');
      assert.equal(await sendForm('/api/file/upload', data), 'FILE_MALFORMED');
      const empty = new FormData();
      empty.set('purpose', 'image');
      assert.equal(await sendForm('/api/file/upload', empty), 'FILE_MISSING');
    });

    it('the quota stays exact when a hundred uploads race', async () => {
      const { JWT } = await signIn(service.url, newPhone());
      const bytes = wavFile(2 ** 20);
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          upload(service.url, { form: index % 2 === 0 ? 'raw' : 'multipart', bytes, purpose: 'audio', token: JWT }),
        ),
      );
      const statuses = replies.map((reply) => `${reply.status} ${reply.body.codeError}`);
      assert.equal(statuses.filter((status) => status === '201 null').length, 64);
      assert.equal(statuses.filter((status) => status === '403 FILE_QUOTA_EXCEEDED').length, 36);
      const { body } = await call(service.url, 'GET', '/api/file/purposes', { token: JWT });
      assert.deepEqual(body.data.quota, {
        usedBytes: 64 * 2 ** 20,
        maxBytes: 64 * 2 ** 20,
        usedFiles: 64,
        maxFiles: 10_000,
        trashBytes: 0,
        trashFiles: 0,
        reservedBytes: 0,
        reservedFiles: 0,
      });
    });
  });
}
