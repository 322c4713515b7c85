// POST /api/service/files: uploads on behalf of a user. The same forms, rules and quota; keys of their own; the act in the audit log.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { testFile } from '../../../../src/adapters/scan/test-file.ts';
import type { UserId } from '../../../../src/kernel/ids.ts';
import { askStore } from '../../../helpers/databases/raw-store.ts';
import { asUserId } from '../../../helpers/people/ids.ts';
import { createServiceKey, createWholeKey } from '../../../helpers/people/service-keys.ts';
import { enter, outcomeOf, userIdOf } from '../../../helpers/people/users.ts';
import { call, readEnvelope } from '../../../helpers/requests/api.ts';
import { request, sendRaw } from '../../../helpers/requests/raw-request.ts';
import { type Form, forms, type UploadRequest, upload } from '../../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { type FakeClamd, startFakeClamd } from '../../../helpers/uploads/fake-clamd.ts';
import { pngFile, textFile, wavFile } from '../../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const nobody = '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11';

for (const kind of tierStoreKinds) {
  describe(`uploads on behalf of a user, on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_UPLOADS_PER_USER: '1/24h', FILE_QUOTA: '8MiB' });
    let token: string;
    let keyId: string;
    let JWT: string;
    let userId: UserId;
    before(async () => {
      ({ text: token, id: keyId } = await createWholeKey(stage));
      ({ JWT } = await enter(stage.url));
      userId = asUserId(await userIdOf(stage.url, JWT));
    });
    afterEach(() =>
      waitUntil('no spool stays behind', () => {
        const spools = readdirSync(join(String(stage.env.DATA_DIR), 'files', 'spool'));
        return spools.length === 0 ? true : undefined;
      }),
    );
    const send = (form: Form, wanted: Omit<UploadRequest, 'token'>, user = userId) =>
      upload(stage.url, { ...wanted, form, userId: user, token });

    for (const form of forms) {
      it(`an upload on behalf of a user sent as ${form} belongs to the user, and the user’s own limit does not count it`, async () => {
        const bytes = pngFile(4, 5);
        const reply = await send(form, { bytes, purpose: 'image', name: 'Bild ä.png', type: 'image/png' });
        assert.equal(reply.status, 201, reply.body.message);
        const { id } = reply.body.data;
        assert.equal(reply.headers.get('location'), `/api/service/files/${id}`);
        const own = await call(stage.url, 'GET', `/api/file/${id}`, { token: JWT });
        assert.deepEqual(reply.body.data, { ...own.body.data, userId });
        const query = { userId, kind: 'file.stored', since: 0, most: 1 } as const;
        const [event] = await stage.service.store.call('audit.list', query);
        const detail = { file: id, purpose: 'image', size: bytes.length, actor: 'service', key: keyId, why: '' };
        assert.deepEqual(event?.detail, detail);
      });

      it(`a bad upload on behalf of a user sent as ${form} is refused with the right code`, async () => {
        const png = pngFile();
        const code = async (wanted: Omit<UploadRequest, 'token'>) => outcomeOf(await send(form, wanted));
        assert.equal(await code({ bytes: png }), '400 FILE_PURPOSE_REQUIRED');
        assert.equal(await code({ bytes: Buffer.alloc(0), purpose: 'image' }), '400 FILE_EMPTY');
        assert.equal(await code({ bytes: png, purpose: 'image', type: 'image/jpeg' }), '422 FILE_TYPE_MISMATCH');
        assert.equal(await code({ bytes: wavFile(5 * 2 ** 20 + 2), purpose: 'avatar' }), '413 FILE_TOO_LARGE');
        const headers = { 'repr-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` };
        assert.equal(await code({ bytes: png, purpose: 'image', headers }), '422 FILE_DIGEST_MISMATCH');
      });
    }

    it('an upload on behalf of a user is refused as the upload of the user would be', async () => {
      const png = pngFile();
      const damaged = Buffer.concat([png, Buffer.from('more')]);
      for (const [wanted, code] of [
        [{ bytes: png, purpose: 'none' }, '422 FILE_PURPOSE_UNKNOWN'],
        [{ bytes: png, purpose: 'audio' }, '415 FILE_TYPE_NOT_ALLOWED'],
        [{ bytes: damaged, purpose: 'image' }, '422 FILE_CORRUPT'],
        [{ bytes: pngFile(8193, 1), purpose: 'avatar' }, '422 FILE_IMAGE_TOO_LARGE'],
        [{ bytes: png, purpose: 'image', headers: { 'idempotency-key': 'a b' } }, '400 REQUEST_INVALID'],
        [{ bytes: png, purpose: 'image', headers: { 'upload-complete': '?0' } }, '400 REQUEST_INVALID'],
      ] as const)
        assert.equal(outcomeOf(await send('raw', wanted)), code);
      const head = `POST /api/service/files?user=${userId}&purpose=document`;
      const bearer = `Authorization: Bearer ${token}`;
      for (const [type, body, code] of [
        ['multipart/form-data; boundary=B', '--B--\r\n', 'FILE_MISSING'],
        ['multipart/form-data; boundary=B', '--B\r\nnonsense', 'FILE_MALFORMED'],
        ['application/json', '{', 'JSON_INVALID'],
      ] as const) {
        const [reply] = await sendRaw(stage.url, request(head, [bearer, `Content-Type: ${type}`], body));
        assert.equal(readEnvelope(reply?.body ?? '').codeError, code);
      }
      const cut = request(head, [bearer, 'Content-Type: text/csv', 'Content-Length: 100'], undefined);
      const [reply] = await sendRaw(stage.url, `${cut}a,b`, { halfClose: true });
      assert.equal(readEnvelope(reply?.body ?? '').codeError, 'FILE_INCOMPLETE');
    });

    it('an upload on behalf of a user counts in the quota of the user', async () => {
      const owner = asUserId(await userIdOf(stage.url, (await enter(stage.url)).JWT));
      const large = { bytes: wavFile(5 * 2 ** 20), purpose: 'audio', type: 'audio/wav' };
      assert.equal(outcomeOf(await send('raw', large, owner)), '201');
      assert.equal(outcomeOf(await send('raw', large, owner)), '403 FILE_QUOTA_EXCEEDED');
    });

    it('an Idempotency-Key belongs to one service key and one user: neither a user nor another key can repeat or block it', async () => {
      const other = await enter(stage.url);
      const otherId = asUserId(await userIdOf(stage.url, other.JWT));
      const wanted = { bytes: textFile, purpose: 'document', headers: { 'idempotency-key': 'k1' } };
      const first = await send('raw', wanted, otherId);
      const again = await send('raw', wanted, otherId);
      assert.deepEqual(again.body.data, first.body.data);
      const changed = { ...wanted, bytes: Buffer.from('a,b\n') };
      assert.equal(outcomeOf(await send('raw', changed, otherId)), '422 IDEMPOTENCY_KEY_REUSED');
      const second = await createServiceKey(stage);
      const ids = [
        first,
        await send('raw', wanted, userId),
        await upload(stage.url, { ...wanted, userId: otherId, token: second }),
        await upload(stage.url, { ...wanted, token: other.JWT }),
      ].map(({ body }) => body.data?.id);
      assert.equal(new Set(ids).size, 4);
      assert.ok(!ids.includes(undefined));
    });

    it('an upload on behalf of a user gets Retry-After while an upload with the same Idempotency-Key is in progress', async () => {
      const headers = [`Authorization: Bearer ${token}`, 'Content-Type: text/csv', 'Idempotency-Key: k2'];
      const head = `POST /api/service/files?user=${userId}&purpose=document`;
      const slow = openUpload(stage.url, request(head, [...headers, 'Content-Length: 8'], undefined));
      await slow.isReserved(() => askStore(stage.env, 'select 1 as one from uploads'));
      const reply = await send('raw', { bytes: textFile, purpose: 'document', headers: { 'idempotency-key': 'k2' } });
      assert.deepEqual([outcomeOf(reply), reply.headers.get('retry-after')], ['409 UPLOAD_IN_PROGRESS', '5']);
      slow.write('a,b\n1,2\n');
      assert.match(await slow.answer, /^HTTP\/1.1 201/);
    });

    it('an upload for an unknown, malformed or deleted user is refused before its body is read', async () => {
      const gone = await enter(stage.url);
      const goneId = await userIdOf(stage.url, gone.JWT);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me', { token: gone.JWT })), '200');
      for (const user of [nobody, goneId, 'nonsense', '%00x']) {
        const head = `POST /api/service/files?user=${user}&purpose=document`;
        const headers = [`Authorization: Bearer ${token}`, 'Content-Type: text/csv', 'Content-Length: 1000'];
        const { answer } = openUpload(stage.url, request(head, [...headers, 'Expect: 100-continue'], undefined));
        const text = await answer;
        assert.match(text, user === '%00x' ? /^HTTP\/1.1 400 / : /^HTTP\/1.1 404 /, user);
      }
      const missing = await fetch(`${stage.url}/api/service/files?purpose=document`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
        body: 'a,b\n',
      });
      assert.equal(readEnvelope(await missing.text()).codeError, 'REQUEST_INVALID');
    });

    it('an upload for a user who is deleted meanwhile leaves nothing behind', async () => {
      const owner = await enter(stage.url);
      const ownerId = await userIdOf(stage.url, owner.JWT);
      const head = `POST /api/service/files?user=${ownerId}&purpose=document`;
      const headers = [`Authorization: Bearer ${token}`, 'Content-Type: text/csv', 'Content-Length: 8'];
      const slow = openUpload(stage.url, request(head, headers, undefined));
      await slow.isReserved(() => askStore(stage.env, `select 1 as one from uploads where user_id = '${ownerId}'`));
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me', { token: owner.JWT })), '200');
      const folder = join(String(stage.env.DATA_DIR), 'files');
      const blobs = () =>
        readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
      const before = blobs();
      slow.write('a,b\n1,2\n');
      const text = await slow.answer;
      assert.match(text, /^HTTP\/1.1 404 /);
      assert.match(text, /"codeError":"NOT_FOUND"/);
      assert.ok(blobs() <= before);
      for (const table of ['files', 'uploads', 'file_usage', 'audit_events'])
        assert.deepEqual(
          await askStore(
            stage.env,
            `select 1 as one from ${table} where user_id = '${ownerId}' ${table === 'audit_events' ? "and kind = 'file.stored'" : ''}`,
          ),
          [],
          table,
        );
    });
  });

  describe(`an infected upload on behalf of a user, on ${kind}`, () => {
    let clamd: FakeClamd;
    before(async () => {
      clamd = await startFakeClamd();
    });
    after(() => clamd.stop());
    const stage = setStage(kind, () => ({ SCAN_URL: clamd.url }));

    it('an infected upload on behalf of a user is refused, and its event names the key', async () => {
      const { text: token, id: keyId } = await createWholeKey(stage);
      const userId = asUserId(await userIdOf(stage.url, (await enter(stage.url)).JWT));
      const reply = await upload(stage.url, { form: 'json', userId, bytes: testFile(), purpose: 'document', token });
      assert.equal(outcomeOf(reply), '422 FILE_INFECTED');
      const query = { userId, kind: 'file.infected', since: 0, most: 1 } as const;
      const [event] = await stage.service.store.call('audit.list', query);
      assert.deepEqual([event?.detail.actor, event?.detail.key], ['service', keyId]);
    });
  });
}

/** An upload whose body is written later. */
function openUpload(url: string, head: string | Buffer) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(head);
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (bytes) => {
      resolve(bytes.toString());
      socket.destroy();
    });
    socket.once('error', reject);
  });
  return {
    answer,
    write: (text: string) => socket.write(text),
    isReserved: (rows: () => Promise<readonly unknown[]>) =>
      waitUntil('a reservation', async () => ((await rows()).length > 0 ? true : undefined)),
  };
}
