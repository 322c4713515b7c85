// kill -9 while bytes are stored that no record has yet: the next start removes them, and an account deleted then leaves none.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { startS3Server } from '../../helpers/blobs/s3-server.ts';
import { call, newPhone, signIn } from '../../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { uploaderAt } from '../../helpers/uploads/resumable.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const type = 'Content-Type: text/plain';
const path = '/api/file/upload?purpose=document';

async function open(context: TestContext, more: Record<string, string> = {}) {
  const { env, dispose } = await isolatedEnv('sqlite', more);
  context.after(dispose);
  const start = async () => {
    const service = await spawnGatehouse(env);
    context.after(() => service.stop('SIGKILL'));
    return service;
  };
  const service = await start();
  const { JWT: token } = await signIn(service.url, newPhone());
  const marker = randomBytes(16).toString('hex');
  return { env, start, service, token, marker, uploads: uploaderAt(service.url, token) };
}

/** The files of the data folder that contain the marker, without the database. */
function found(env: TestEnv, marker: string): string[] {
  return readdirSync(String(env.DATA_DIR), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('gatehouse.db'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => readFileSync(name).includes(marker));
}

async function deleteAccount(url: string, token: string): Promise<void> {
  assert.equal((await call(url, 'DELETE', '/api/auth/me', { token })).status, 200);
}

describe('a service that is killed while it stores bytes', () => {
  it('a file that is on the disk when its commit is killed is gone after the next start', async (context) => {
    const { env, start, service, token, marker, uploads } = await open(context);
    // The second upload leaves an id that is noted. So the third writes nothing to the database before its bytes are stored.
    for (let round = 0; round < 2; round++) assert.equal((await uploads.create([type], 'before')).status, 201);
    const lock = new DatabaseSync(join(String(env.DATA_DIR), 'gatehouse.db'));
    lock.exec('begin immediate');
    uploads.create([type], `${marker} `.repeat(20)).catch(() => undefined);
    await waitUntil('the bytes under their lasting name', () =>
      found(env, marker).some((name) => name.includes('fil_') && !name.includes('spool')),
    );
    await service.stop('SIGKILL');
    lock.exec('rollback');
    lock.close();
    assert.equal(found(env, marker).length, 1);
    const next = await start();
    await deleteAccount(next.url, token);
    await waitUntil('no byte is left', () => found(env, marker).length === 0);
  });

  it('an object that is in the bucket when its commit is killed is gone after the next start', async (context) => {
    const bucket = await startS3Server();
    context.after(() => bucket.stop());
    const { start, service, token, marker, uploads } = await open(context, { STORAGE_URL: bucket.url() });
    const stored = () => [...bucket.objects.values()].filter(({ bytes }) => bytes.includes(marker));
    bucket.faults.add('PUT', { kind: 'mute success' }, 1);
    uploads.create([type], `${marker} `.repeat(20)).catch(() => undefined);
    await waitUntil('the object', () => stored().length === 1);
    await service.stop('SIGKILL');
    bucket.faults.clear();
    const next = await start();
    await deleteAccount(next.url, token);
    await waitUntil('no byte is left', () => stored().length === 0);
  });

  it('the temporary file of a body that was arriving is gone after the next start', async (context) => {
    const { env, start, service, token, marker, uploads } = await open(context);
    const half = Buffer.from(`${marker} `.repeat(60_000));
    const { socket } = await uploads.begin(`POST ${path}`, [type], 2 * half.length, half.toString());
    context.after(() => void socket.destroy());
    await waitUntil('its temporary file', () => found(env, marker).some((name) => name.includes('spool')));
    await service.stop('SIGKILL');
    assert.equal(found(env, marker).length, 1);
    const next = await start();
    await deleteAccount(next.url, token);
    await waitUntil('no byte is left', () => found(env, marker).length === 0);
  });
});
