// A full disk, seen through HTTP: writes are refused in the envelope, everything else works, and free space ends it without a restart.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { markName } from '../../../src/files/storage/blob-store.ts';
import { mountSmallDisk, type SmallDisk } from '../../helpers/blobs/small-disk.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { askForCode, me, outcomeOf } from '../../helpers/people/users.ts';
import { call, logIn, newPhone, type Pair, refresh, sendOtp, signIn } from '../../helpers/requests/api.ts';
import { type UploadRequest, upload } from '../../helpers/requests/upload.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  storeKinds,
  type TestEnv,
} from '../../helpers/services/gatehouse.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

const mebibyte = 2 ** 20;
const sound = wavFile(mebibyte);

type Machine = { service: GatehouseProcess; disk: SmallDisk; env: TestEnv; user: Pair; fileId: string };

/** A service with one user and one file, and 8 MiB for the content of the folder. */
async function startOnSmallDisk(
  kind: StoreKind,
  folder: string,
  undo: (() => unknown)[],
): Promise<Machine | undefined> {
  const { env, dispose } = await isolatedEnv(kind, { LIMIT_UPLOADS_PER_USER: 'off', TRASH_LIFE: '0' });
  undo.unshift(dispose);
  const disk = mountSmallDisk(join(env.DATA_DIR ?? '', folder), 8);
  if (disk === undefined) return undefined;
  undo.unshift(disk.unmount);
  const service = await spawnGatehouse(env);
  undo.unshift(() => service.stop('SIGKILL'));
  const user = await signIn(service.url, newPhone());
  const reply = await storeSound(service.url, user, sound);
  assert.equal(reply.outcome, '201');
  return { service, disk, env, user, fileId: reply.id };
}

async function storeSound(url: string, { JWT: token }: Pair, bytes: Buffer, more: Partial<UploadRequest> = {}) {
  const reply = await upload(url, { token, purpose: 'audio', name: 'sound.wav', type: 'audio/wav', bytes, ...more });
  return { outcome: outcomeOf(reply), id: String(reply.body.data?.id) };
}

async function download({ service, user, fileId }: Machine): Promise<boolean> {
  const response = await fetch(`${service.url}/file/${fileId}`, { headers: { authorization: `Bearer ${user.JWT}` } });
  return response.status === 200 && sound.equals(Buffer.from(await response.arrayBuffer()));
}

const usedFiles = async ({ service, user }: Machine) =>
  (await call(service.url, 'GET', '/api/file/purposes', { token: user.JWT })).body.data.quota.usedFiles;

/** Blobs and spools in the folder. */
const blobsOf = ({ env }: Machine) =>
  readdirSync(join(env.DATA_DIR ?? '', 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'filler' && entry.name !== markName)
    .map(({ name }) => name);

type Step = (name: string, run: (machine: Machine) => Promise<void>) => void;

function onSmallDisk(name: string, kind: StoreKind, folder: string, suite: (step: Step) => void): void {
  describe(name, () => {
    const undo: (() => unknown)[] = [];
    let machine: Machine | undefined;
    before(async () => {
      machine = await startOnSmallDisk(kind, folder, undo);
    });
    after(async () => {
      for (const step of undo) await step();
    });
    suite((title, run) =>
      it(title, (test) =>
        machine === undefined ? test.skip('mounting a small disk is not permitted here') : run(machine),
      ),
    );
  });
}

for (const kind of storeKinds) {
  onSmallDisk(`a full disk under the blobs, records in ${kind}`, kind, 'files', (step) => {
    step('an upload to a full disk is refused with 507 and leaves nothing behind', async (machine) => {
      const { service, disk, env, user, fileId } = machine;
      assert.equal((await storeSound(service.url, user, wavFile(9 * mebibyte))).outcome, '507 STORAGE_FULL');
      assert.deepEqual(blobsOf(machine), [fileId]);
      disk.fill();
      for (let round = 0; round < 3; round++) {
        const { outcome } = await storeSound(service.url, user, sound, { key: 'once' });
        assert.equal(outcome, '507 STORAGE_FULL');
        assert.equal((await storeSound(service.url, user, sound, { form: 'multipart' })).outcome, '507 STORAGE_FULL');
      }
      assert.deepEqual(blobsOf(machine), [fileId]);
      assert.equal(await usedFiles(machine), 1);
      assert.deepEqual(await askStore(env, 'select id from uploads'), []);
    });

    step('users can sign in and read files while the disk of the blobs is full', async (machine) => {
      const { service, user } = machine;
      assert.ok(await download(machine));
      const other = await signIn(service.url, newPhone());
      assert.equal((await me(service.url, other.JWT)).status, 200);
      assert.equal((await refresh(service.url, other.RT)).status, 200);
      assert.equal((await call(service.url, 'GET', '/api/file', { token: user.JWT })).body.data.files.length, 1);
    });

    step('uploads work again once the disk has space, also under an idempotency key that failed', async (machine) => {
      const { service, disk, user } = machine;
      disk.free();
      const first = await storeSound(service.url, user, sound, { key: 'once' });
      assert.equal(first.outcome, '201');
      assert.deepEqual(await storeSound(service.url, user, sound, { key: 'once' }), first);
      assert.equal(await usedFiles(machine), 2);
      assert.equal(service.child.exitCode, null);
    });
  });
}

onSmallDisk('a full disk under SQLite and the blobs', 'sqlite', '', (step) => {
  const phone = newPhone();
  let code = '';

  step('writes to a full SQLite disk are refused with 503 or 507 and leave nothing behind', async (machine) => {
    const { service, disk, user, fileId } = machine;
    code = await askForCode(service.url, phone);
    disk.fill();
    for (let round = 0; round < 3; round++) {
      const codes = await Promise.all(Array.from({ length: 10 }, () => sendOtp(service.url, newPhone())));
      assert.deepEqual(new Set(codes.map(({ status }) => status)), new Set([503]));
      assert.equal((await logIn(service.url, phone, code)).status, 503);
      assert.equal((await refresh(service.url, user.RT)).status, 503);
      assert.match((await storeSound(service.url, user, sound)).outcome, /^50[37] /);
      const removal = await call(service.url, 'DELETE', `/api/file/${fileId}`, { token: user.JWT });
      assert.equal(removal.body.codeError, 'SERVICE_UNAVAILABLE');
    }
    assert.deepEqual(blobsOf(machine), [fileId]);
  });

  step('reads go on while the disk of SQLite is full', async (machine) => {
    const { service, user } = machine;
    assert.equal((await me(service.url, user.JWT)).status, 200);
    assert.ok(await download(machine));
    assert.equal(await usedFiles(machine), 1);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });

  step(
    'writes work again once the disk has space, with the codes, tokens and files that were refused before',
    async (machine) => {
      const { service, disk, user } = machine;
      disk.free();
      assert.equal((await logIn(service.url, phone, code)).status, 200);
      assert.equal((await refresh(service.url, user.RT)).status, 200);
      assert.equal((await storeSound(service.url, user, sound)).outcome, '201');
      assert.equal(await usedFiles(machine), 2);
      await signIn(service.url, newPhone());
      assert.equal(service.child.exitCode, null);
    },
  );
});
