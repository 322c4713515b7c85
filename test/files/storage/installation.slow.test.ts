// A database and a storage that do not belong together: the service refuses to start, says why, and every file stays.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { markName } from '../../../src/files/storage/blob-store.ts';
import { newInstallationId } from '../../../src/files/storage/installation.ts';
import { makeOld } from '../../helpers/blobs/blobs.ts';
import { startS3Server } from '../../helpers/blobs/s3-server.ts';
import { type Kept, keepFile } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { enter } from '../../helpers/people/users.ts';
import { call } from '../../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse, spawnMain, storeKinds, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const storages = ['disk', 's3'] as const;
type Storage = { readonly env: TestEnv; blobs(): string[]; age(): void };

/** The process must end by itself. One that serves is stopped and counts as 0. */
async function start(env: TestEnv): Promise<{ code: number | undefined; stderr: string }> {
  const { child, ended, output } = spawnMain([], env);
  const url = `http://127.0.0.1:${env.PORT}/readyz`;
  const served = async () => {
    while (child.exitCode === null) {
      if ((await fetch(url).catch(() => undefined))?.ok === true) break;
      await sleep(50);
    }
    if (child.exitCode === null) {
      // The service has finished its start-up work by then.
      await sleep(500);
      child.kill('SIGTERM');
    }
  };
  await served();
  return { code: await ended, stderr: output().stderr };
}

async function openStorage(context: TestContext, kind: (typeof storages)[number], dataDir: string): Promise<Storage> {
  if (kind === 'disk') {
    const root = join(dataDir, 'files');
    const paths = () =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('fil_'));
    return {
      env: {},
      blobs: () =>
        paths()
          .map((path) => path.slice(-26))
          .toSorted(),
      age: () => makeOld(root),
    };
  }
  const s3 = await startS3Server();
  context.after(() => s3.stop());
  return {
    env: { STORAGE_URL: s3.url() },
    blobs: () => [...s3.objects.keys()].filter((key) => key.startsWith('fil_')).toSorted(),
    age: () => {
      for (const [key, object] of s3.objects) s3.objects.set(key, { ...object, modifiedAt: Date.now() - 3_600_000 });
    },
  };
}

describe('a storage that belongs to another database', () => {
  for (const [at, storageKind] of storages.entries()) {
    it(`a storage keeps every file when the service starts with another, empty database (${storageKind})`, async (context) => {
      const kind = storeKinds[at] ?? 'sqlite';
      const own = await isolatedEnv(kind);
      const other = await isolatedEnv(kind === 'sqlite' ? 'postgres' : 'sqlite');
      context.after(() => Promise.all([own.dispose(), other.dispose()]));
      const dataDir = own.env.DATA_DIR ?? '';
      const storage = await openStorage(context, storageKind, dataDir);
      const env = { ...own.env, ...storage.env };
      const service = await spawnGatehouse(env);
      const { JWT } = await enter(service.url);
      const kept: Kept[] = [await keepFile(service.url, JWT), await keepFile(service.url, JWT)];
      await service.stop();
      storage.age();
      const ids = kept.map(({ id }) => id).toSorted();
      assert.deepEqual(storage.blobs(), ids);
      // The usual mistake: DATABASE_URL is set, forgotten or wrong, and everything else is unchanged.
      const wrong = { ...other.env, ...storage.env, ...(storageKind === 'disk' && { DATA_DIR: dataDir }) };
      const { code, stderr } = await start(wrong);
      assert.deepEqual(storage.blobs(), ids, 'every file is still there');
      assert.equal(code, 78, stderr);
      assert.match(stderr, /DATABASE_URL/);
      assert.match(stderr, /gatehouse storage adopt/);
      if (storageKind === 'disk') await adopt(wrong, env);
      assert.deepEqual(storage.blobs(), ids, 'every file is still there');
    });
  }

  it('a foreign storage that was unreachable at the start is detected when it answers, and all workers exit with 78', async (context) => {
    const { env, dispose } = await isolatedEnv('sqlite', { WORKERS: '2' });
    const s3 = await startS3Server();
    const foreign = newInstallationId();
    s3.objects.set(markName, { bytes: Buffer.from(foreign), modifiedAt: 0, type: '' });
    await s3.stop();
    const service = await spawnGatehouse({ ...env, STORAGE_URL: s3.url() });
    context.after(() => Promise.all([service.stop('SIGKILL'), dispose(), s3.stop()]));
    const { JWT } = await enter(service.url);
    assert.equal((await call(service.url, 'GET', '/api/auth/me', { token: JWT })).status, 200, 'users can sign in');
    // A worker that starts later would refuse to start before the others stop.
    await waitUntil('both workers are ready', () => service.output().stderr.split(' ready in ').length > 2);
    // When the process has ended and all that it wrote has been read.
    const ended = new Promise((resolve) => service.child.once('close', resolve));
    await s3.start();
    const code = await ended;
    assert.equal(code, 78, service.output().stderr);
    assert.match(service.output().stderr, new RegExp(`Gatehouse stops. .*do not belong together[\\s\\S]*${foreign}`));
    assert.equal([...s3.objects.keys()].join(), markName);
  });
});

/** On purpose: a dry run first, then with --yes. From then on the storage is refused to its former database. */
async function adopt(env: TestEnv, former: TestEnv): Promise<void> {
  const asked = await runCommand(['storage', 'adopt', '--reason', 'a test'], env);
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /0 users, 0 file records[\s\S]*0 of 2 files in the sample have a record[\s\S]*add --yes/);
  assert.equal((await runCommand(['files', 'check', '--repair'], env)).code, 78);
  const done = await runCommand(['storage', 'adopt', '--reason', 'a test', '--yes', '--json'], env);
  assert.equal(done.code, 0, done.stderr);
  const { installation } = JSON.parse(done.stdout) as { installation: string };
  const { code, stderr } = await start(former);
  assert.equal(code, 78, stderr);
  assert.match(stderr, new RegExp(`they have the ids of two different installations[\\s\\S]*${installation}`));
}
