// A deleted account leaves no byte, whatever its files and uploads were doing, on disk and in a bucket, also if the service is killed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createPorts } from '../../src/store/ports.ts';
import { type S3Server, startS3Server } from '../helpers/blobs/s3-server.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { enter } from '../helpers/people/users.ts';
import { call, readEnvelope } from '../helpers/requests/api.ts';
import {
  createTestClock,
  type Gatehouse,
  isolatedEnv,
  startGatehouse,
  type TestEnv,
} from '../helpers/services/gatehouse.ts';
import { partial, uploaderAt } from '../helpers/uploads/resumable.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const type = 'Content-Type: text/plain';

/** One pair covers both databases and both storages. */
for (const [kind, storage] of [
  ['sqlite', 'disk'],
  ['postgres', 's3'],
] as const) {
  describe(`a deleted account on ${kind} and ${storage}`, () => {
    const clock = createTestClock();
    let bucket: S3Server;
    let env: TestEnv;
    let dispose: () => Promise<void>;
    let service: Gatehouse;
    /** A loop that runs often cannot hide what the deletion itself leaves: `looks` says which ones run. */
    const start = async (looks: 'rarely' | 'often') => {
      const pause = looks === 'often' ? 20 : 3_600_000;
      const loops = { removalMilliseconds: pause, uploadSweepMilliseconds: pause, fileSweepMilliseconds: pause };
      service = await startGatehouse(env, clock, { times: { loops } });
    };
    before(async () => {
      bucket = await startS3Server();
      const settings = { LIMIT_UPLOADS_PER_USER: 'off', ...(storage === 's3' && { STORAGE_URL: bucket.url() }) };
      ({ env, dispose } = await isolatedEnv(kind, settings));
      await start('rarely');
    });
    after(async () => {
      await service?.stop();
      await bucket?.stop();
      await dispose?.();
    });

    /** Every file of the data folder and every object of the bucket that has the marker in its name or its bytes. */
    const found = (marker: string) => {
      const paths = readdirSync(String(env.DATA_DIR), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('gatehouse.db'))
        .map((entry) => join(entry.parentPath, entry.name));
      const inFiles = paths.filter((path) => path.includes(marker) || readFileSync(path).includes(marker));
      const inBucket = [...bucket.objects].filter(([key, { bytes }]) => key.includes(marker) || bytes.includes(marker));
      return [...inFiles, ...inBucket.map(([key]) => key)];
    };
    const isGone = (marker: string) => waitUntil('no byte is left', () => found(marker).length === 0);

    const user = async () => {
      const { JWT: token, phone } = await enter(service.url);
      return { phone, ...actAs(service.url, token) };
    };

    it('leaves no byte of files, trash, variants and uploads in any state, by its deletion alone', async (context) => {
      const marker = randomBytes(16).toString('hex');
      const bytes = Buffer.from(`${marker} `.repeat(20));
      const long = Buffer.from(`${marker} `.repeat(50_000));
      const young = await user();
      const expired = await young.create(bytes);
      clock.advance(86_400 + 60);
      const { JWT } = await enter(service.url, young.phone);
      const ann = actAs(service.url, JWT);
      const reader = (await (await user()).ask('GET', '/api/auth/me')).id;
      await ann.plain('text/plain', bytes, { 'idempotency-key': 'once' });
      const shared = await ann.plain('text/plain', bytes);
      await ann.ask('POST', `/api/file/${shared}/links`, {});
      await call(service.url, 'PUT', `/api/file/${shared}/readers`, { token: JWT, body: { users: [reader] } });
      const trashed = await ann.plain('text/plain', bytes);
      await ann.ask('DELETE', `/api/file/${trashed}`);
      const picture = await ann.plain('image/png', pngOf(300, 200), {}, 'image');
      const variant = await fetch(`${service.url}/file/${picture}?variant=thumb`, { headers: ann.headers });
      assert.equal(variant.status, 200);
      assert.equal(found(picture).length, 2, 'the picture and its variant');
      const empty = await ann.create(Buffer.alloc(0));
      const open = await ann.create(bytes);
      const appending = await ann.create(bytes);
      const cancelled = await ann.create(bytes);
      await ann.uploads.cancel(cancelled);
      await ann.uploads.create(['Upload-Complete: ?1', type, 'Idempotency-Key: twice'], bytes);
      assert.ok(found(marker).length >= 6, 'the marker is found');
      for (const id of [expired, open, appending].map((path) => String(path.split('/').at(-1))))
        assert.ok(found(id).length > 0, 'parts are found');

      const half = long.subarray(0, long.length / 2).toString();
      const plain = await ann.uploads.begin(`POST ${path}?purpose=document`, [type], long.length, half);
      const more = [partial, `Upload-Offset: ${bytes.length}`, 'Upload-Complete: ?0'];
      const append = await ann.uploads.begin(`PATCH ${appending}`, more, long.length, half);
      context.after(() => void [plain, append].map(({ socket }) => socket.destroy()));
      await waitUntil('its spool', () => found(marker).some((name) => name.includes('spool')));
      const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
      context.after(() => goOn());
      const storing = await ann.create(bytes);
      let finish: Promise<{ outcome: string }> = Promise.resolve({ outcome: '' });
      if (storage === 's3') {
        bucket.faults.add('PUT', { kind: 'late success', until }, 1);
        const asked = bucket.asked;
        finish = ann.uploads.append(storing, bytes.length, '?1', '');
        await waitUntil('the file is being stored', () => bucket.asked > asked);
      }
      assert.equal((await call(service.url, 'DELETE', '/api/auth/me', { token: JWT })).status, 200);
      const left = found(marker).filter((name) => !name.includes('spool'));
      assert.deepEqual(left, [], 'only what is arriving at this moment');
      assert.deepEqual([found(picture), found(empty.split('/').at(-1) ?? '')], [[], []]);

      goOn();
      for (const running of [plain, append]) {
        running.socket.write(long.subarray(long.length / 2));
        await waitUntil('an answer', () => /HTTP\/1.1 [45]/.test(running.received()));
      }
      assert.match(plain.received(), /HTTP\/1.1 401 /);
      if (storage === 's3') assert.match((await finish).outcome, /^(401|404) /);
      await isGone(marker);
      const rows = await askStore(env, 'select id from removals');
      assert.ok(
        rows.every(({ id }) => String(id).startsWith('upl_') || id === picture),
        'only uploads and pictures are looked for once more',
      );
    });

    it('killed between the commit of a deletion and the removal of bytes, the service removes them at its next start', async () => {
      const marker = randomBytes(16).toString('hex');
      const bytes = Buffer.from(`${marker} `.repeat(20));
      const ben = await user();
      const file = await ben.plain('text/plain', bytes);
      await ben.create(bytes);
      const { id: userId } = await ben.ask('GET', '/api/auth/me');
      await service.stop();
      const { config } = readConfig(env) as { config: Config };
      const store = await openStore(config);
      const deleted = await createPorts(store).users.deleteUser({ userId, now: clock.now() });
      assert.deepEqual([deleted.fileIds, deleted.uploadIds.length], [[file], 1]);
      await store.close();
      assert.equal(found(marker).length, 2);
      // Until then, whoever deleted the account would remove them.
      clock.advance(15);
      await start('often');
      await isGone(marker);
    });
  });
}

const path = '/api/file/upload';

/** What one user does. Every answer is the expected one. */
function actAs(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const uploads = uploaderAt(url, token);
  return {
    headers,
    uploads,
    ask: async (method: string, where: string, body?: unknown) => {
      const { status, body: said } = await call(url, method, where, { token, ...(body !== undefined && { body }) });
      assert.ok(status < 300, `${method} ${where}: ${said.codeError}`);
      return said.data;
    },
    /** An upload in several requests with its first bytes. Gives its address. */
    create: async (bytes: Buffer) => {
      const reply = await uploads.create(['Upload-Complete: ?0', type], bytes);
      assert.equal(reply.status, 201, reply.outcome);
      return reply.headers.location ?? assert.fail('no location');
    },
    plain: async (media: string, bytes: Buffer, more: Record<string, string> = {}, purpose = 'document') => {
      const options = { method: 'POST', headers: { ...headers, 'content-type': media, ...more } };
      const response = await fetch(`${url}${path}?purpose=${purpose}`, { ...options, body: new Uint8Array(bytes) });
      const { data, codeError } = readEnvelope(await response.text());
      assert.equal(response.status, 201, String(codeError));
      return String(data.id);
    },
  };
}
