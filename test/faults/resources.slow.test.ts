// A machine without open files, inodes, working syncs or space for the log: the service reports it, keeps running, and recovers.
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmallDisk } from '../helpers/blobs/small-disk.ts';
import { closeAll, openMany } from '../helpers/faults/hostile-sockets.ts';
import { digest, uploadSound } from '../helpers/faults/lives.ts';
import { type Undo, undoAfter } from '../helpers/faults/undo.ts';
import { me, outcomeOf } from '../helpers/people/users.ts';
import { call, logIn, newPhone, type Pair, refresh, sendOtp, signIn } from '../helpers/requests/api.ts';
import { storeFile } from '../helpers/requests/upload.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse, type TestEnv } from '../helpers/services/gatehouse.ts';
import { hasStrace, spawnInjected } from './rig/strace.ts';

/** A service for one test, started in a given way and stopped when the test ends. */
async function start(
  undo: Undo,
  spawn: (env: TestEnv) => Promise<GatehouseProcess>,
  env: TestEnv = {},
): Promise<{ url: string; user: Pair; service: GatehouseProcess }> {
  const isolated = await isolatedEnv('sqlite', { LIMIT_UPLOADS_PER_USER: 'off', TRASH_LIFE: '0', ...env });
  undo(isolated.dispose);
  const first = await spawnGatehouse(isolated.env);
  const user = await signIn(first.url, newPhone()).finally(() => first.stop());
  const service = await spawn(isolated.env);
  undo(() => service.stop('SIGKILL'));
  return { url: service.url, user, service };
}

describe('a service that runs out of open files', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  it('a service that runs out of open files keeps running and serves again when some are free', async (test) => {
    const limited = ['sh', '-c', 'ulimit -n 120 && exec "$@"', 'sh'];
    const undo = undoAfter(test);
    const { url, user, service } = await start(undo, (env) => spawnGatehouse(env, limited));
    const sockets = await openMany(url, 200, () => '');
    undo(() => closeAll(sockets));
    await sleep(500);
    assert.equal(service.child.exitCode, null);
    closeAll(sockets);
    const open = () => readdirSync(`/proc/${service.child.pid}/fd`).length;
    for (let round = 0; round < 600 && open() > 60; round++) await sleep(50);
    assert.equal(outcomeOf(await me(url, user.JWT)), '200');
    assert.equal(outcomeOf(await uploadSound(url, user.JWT, 'after', 50_000)), '201');
  });
});

describe('a service with few addresses', { skip: process.platform !== 'linux' && 'needs ulimit -v' }, () => {
  it('takes texts', async (test) => {
    // More than the service has without WebAssembly (4.5 GB of addresses on x64), and less than the 8 GiB that one WebAssembly memory reserves.
    const limited = ['sh', '-c', 'ulimit -v 6291456 && exec "$@"', 'sh'];
    const { url, user } = await start(undoAfter(test), (env) => spawnGatehouse(env, limited));
    const bytes = Buffer.from('a line of text\n'.repeat(1000));
    await storeFile(url, { token: user.JWT, purpose: 'document', type: 'text/plain', bytes });
  });
});

describe('a disk whose syncs fail or are slow', { skip: !hasStrace(), concurrency: true }, () => {
  it('an upload whose sync fails is refused, and uploads succeed again when syncs do', async (test) => {
    const { url, user, service } = await start(undoAfter(test), (env) =>
      spawnInjected(env, 'fsync,fdatasync', 'error=EIO:when=1..4'),
    );
    const replies: string[] = [];
    for (let round = 0; round < 40 && replies.at(-1) !== '201'; round++) {
      replies.push(outcomeOf(await uploadSound(url, user.JWT, `key-${round}`, 50_000)));
    }
    assert.match(replies[0] ?? '', /^503 (STORAGE|SERVICE)_UNAVAILABLE$/);
    assert.deepEqual(
      new Set(replies).difference(new Set(['503 STORAGE_UNAVAILABLE', '503 SERVICE_UNAVAILABLE', '201'])),
      new Set(),
    );
    assert.equal(replies.at(-1), '201', 'it recovers by itself');
    const { body } = await call(url, 'GET', '/api/file', { token: user.JWT });
    assert.equal(body.data.files.length, 1, 'no refused upload is stored');
    assert.equal(outcomeOf(await refresh(url, user.RT)), '200');
    assert.equal(service.child.exitCode, null);
    test.diagnostic(`${replies.length - 1} uploads refused while syncs failed`);
  });

  it('slow syncs delay writers, but not readers or the event loop', async (test) => {
    const slow = (env: TestEnv) => spawnInjected(env, 'fsync,fdatasync', 'delay_enter=200000');
    const { url, user } = await start(undoAfter(test), slow);
    let seconds = Number.POSITIVE_INFINITY;
    // The quickest of a few, because the machine may be busy with other tests.
    for (let round = 0; round < 10 && seconds >= 1; round++) {
      const phones = Array.from({ length: 5 }, newPhone);
      const sending = Promise.all(phones.map((phone) => sendOtp(url, phone)));
      const begin = performance.now();
      for (let count = 0; count < 5; count++) assert.equal((await fetch(`${url}/livez`)).status, 200);
      seconds = (performance.now() - begin) / 1000;
      for (const reply of await sending) assert.equal(outcomeOf(reply), '200');
      assert.equal(outcomeOf(await me(url, user.JWT)), '200');
    }
    assert.ok(seconds < 1, `${seconds} s for five requests to /livez`);
  });
});

describe('a disk without inodes', () => {
  it('a disk without inodes refuses uploads without leftovers, all else works, and uploads succeed again afterwards', async (test) => {
    const undo = undoAfter(test);
    const { env, dispose } = await isolatedEnv('sqlite', { LIMIT_UPLOADS_PER_USER: 'off', TRASH_LIFE: '0' });
    undo(dispose);
    const folder = join(env.DATA_DIR ?? '', 'files');
    const disk = mountSmallDisk(folder, 8);
    if (disk === undefined) return test.skip('mounting a small disk is not permitted here');
    undo(disk.unmount);
    const { url, stop } = await spawnGatehouse(env);
    undo(() => stop('SIGKILL'));
    const user = await signIn(url, newPhone());
    const first = await uploadSound(url, user.JWT, 'first', 50_000);
    assert.equal(outcomeOf(first), '201');
    const files = () => readdirSync(folder, { recursive: true }).length;
    const before = files();
    disk.fillInodes();
    const full = files();
    for (const key of ['once', 'once', 'other'])
      assert.equal(outcomeOf(await uploadSound(url, user.JWT, key, 50_000)), '507 STORAGE_FULL');
    assert.equal(files(), full);
    const download = await fetch(`${url}/file/${first.body.data.id}`, {
      headers: { authorization: `Bearer ${user.JWT}` },
    });
    assert.equal(digest(new Uint8Array(await download.arrayBuffer())), first.body.data.sha256);
    assert.equal(outcomeOf(await refresh(url, (await signIn(url, newPhone())).RT)), '200');
    disk.free();
    assert.equal(files(), before);
    assert.equal(outcomeOf(await uploadSound(url, user.JWT, 'once', 50_000)), '201');
    const { body } = await call(url, 'GET', '/api/file/purposes', { token: user.JWT });
    assert.equal(body.data.quota.usedFiles, 2);
  });
});

describe('a log that cannot be written', () => {
  it('a log that cannot be written does not make the service refuse requests', async (test) => {
    const undo = undoAfter(test);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'));
    undo(() => rmSync(folder, { recursive: true, force: true }));
    const disk = mountSmallDisk(folder, 1);
    if (disk === undefined) return test.skip('mounting a small disk is not permitted here');
    undo(disk.unmount);
    const log = join(folder, 'log');
    closeSync(openSync(log, 'w'));
    disk.fill();
    const intoLog = ['sh', '-c', `exec "$@" >> ${log} 2>> ${log}`, 'sh'];
    const { url, user, service } = await start(undo, (env) => spawnGatehouse({ ...env, LOG_LEVEL: 'info' }, intoLog));
    for (let count = 0; count < 20; count++) assert.equal(outcomeOf(await me(url, user.JWT)), '200');
    const phone = newPhone();
    assert.equal(outcomeOf(await sendOtp(url, phone)), '200');
    assert.equal(outcomeOf(await logIn(url, phone, '000000')), '400 OTP_INVALID');
    assert.equal(outcomeOf(await refresh(url, user.RT)), '200');
    await sleep(300);
    assert.equal(service.child.exitCode, null);
  });
});
