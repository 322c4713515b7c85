// A storage that hangs during an upload: the answer arrives in time, nothing is left behind, and a reported failure stays one.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type S3Server, startS3Server } from '../helpers/blobs/s3-server.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { openSocket } from '../helpers/faults/hostile-sockets.ts';
import { outcomeOf } from '../helpers/people/users.ts';
import { newPhone, signIn } from '../helpers/requests/api.ts';
import { upload } from '../helpers/requests/upload.ts';
import { type Gatehouse, isolatedEnv, startGatehouse, type TestEnv } from '../helpers/services/gatehouse.ts';
import { pngFile } from '../helpers/uploads/sample-files.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('an upload to an S3 that is slower than proxies wait', () => {
  let server: S3Server;
  let service: Gatehouse;
  let env: TestEnv;
  let dispose: () => Promise<void>;
  let token: string;
  before(async () => {
    server = await startS3Server();
    ({ env, dispose } = await isolatedEnv('sqlite', { STORAGE_URL: server.url(), LIMIT_UPLOADS_PER_USER: 'off' }));
    service = await startGatehouse(env, undefined, { times: { upload: { keepMilliseconds: 3000 } } });
    token = (await signIn(service.url, newPhone())).JWT;
  });
  afterEach(() => server.faults.clear());
  after(async () => {
    await service?.stop();
    await server?.stop();
    await dispose?.();
  });
  const headers = (key: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'image/png',
    'idempotency-key': key,
  });
  const send = async (key: string) => {
    const reply = await upload(service.url, { token, key, purpose: 'image', type: 'image/png', bytes: pngFile() });
    return { outcome: outcomeOf(reply), id: reply.body.data?.id as string | undefined };
  };
  const records = async () => (await askStore(env, 'select id from files')).map(({ id }) => String(id)).toSorted();
  /** Without the mark of the storage. */
  const blobs = () => [...server.objects.keys()].filter((key) => key.startsWith('fil_')).toSorted();

  for (const kind of ['stalled request', 'mute success'] as const) {
    it(`an upload to a slow S3 is reported as failed, is not stored, and can be repeated with its key: ${kind}`, async () => {
      const key = kind.replace(' ', '-');
      const before = await records();
      server.faults.add('PUT', { kind });
      assert.equal((await send(key)).outcome, '503 STORAGE_UNAVAILABLE');
      await waitUntil('no blob is left', () => blobs().length === before.length);
      assert.deepEqual(await records(), before);
      assert.deepEqual(await askStore(env, 'select id from uploads'), []);
      server.faults.clear();
      const again = await send(key);
      assert.equal(again.outcome, '201');
      assert.deepEqual(await records(), [...before, String(again.id)].toSorted());
      assert.deepEqual(blobs(), await records());
    });
  }

  it('an upload whose answer was lost gets the first result again', async () => {
    const before = await records();
    const bytes = pngFile();
    const lines = Object.entries({ host: 'x', ...headers('lost'), 'content-length': bytes.length });
    const head = `POST /api/file/upload?purpose=image HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    const socket = await openSocket(service.url, Buffer.concat([Buffer.from(head), bytes]));
    await waitUntil('the file is stored', async () => (await records()).length > before.length);
    socket.destroy();
    const again = await send('lost');
    assert.equal(again.outcome, '201');
    assert.deepEqual(await records(), [...before, String(again.id)].toSorted());
  });
});
