// The files move from the disk to S3 and back while the service runs: resumed after a failure, checked by hash, nothing lost.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { markName } from '../../../src/files/storage/blob-store.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { deleteFile, fetchFile, type Kept, keepBusy, keepFile } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { installationIdOf } from '../../helpers/people/ids.ts';
import { enter } from '../../helpers/people/users.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';

describe('files move', () => {
  const kept: Kept[] = [];
  let isolated: Awaited<ReturnType<typeof isolatedEnv>>;
  let s3: S3Server;
  let service: GatehouseProcess;
  let token = '';
  let urlFile = '';

  const env = (more: TestEnv = {}): TestEnv => ({ ...isolated.env, ...more });
  const move = (args: readonly string[], more: TestEnv = {}) =>
    runCommand(['files', 'move', ...args, '--json'], env(more));
  const blobsOnDisk = () =>
    readdirSync(join(env().DATA_DIR ?? '', 'files'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.includes('fil_'),
    );
  const restart = async (more: TestEnv) => {
    await service.stop();
    service = await spawnGatehouse(env(more));
  };
  const readsAll = async () => {
    for (const { id, bytes } of kept) assert.deepEqual(await fetchFile(service.url, token, id), bytes, id);
  };

  before(async () => {
    isolated = await isolatedEnv('sqlite', { TRASH_LIFE: '0' });
    s3 = await startS3Server();
    service = await spawnGatehouse(env());
    token = (await enter(service.url)).JWT;
    for (let count = 0; count < 6; count++) kept.push(await keepFile(service.url, token));
    urlFile = join(env().DATA_DIR ?? '', 'target-url');
    writeFileSync(urlFile, `${s3.url()}\n`, { mode: 0o600 });
  });
  after(async () => {
    await service.stop();
    await s3.stop();
    await isolated.dispose();
  });

  it('files move continues after a failure and copies no file twice', async () => {
    const [{ id: first } = assert.fail()] = kept;
    s3.faults.add('PUT', { kind: 'slow first byte', milliseconds: 1 }, 2);
    s3.faults.add('PUT', { kind: 'status', status: 403, code: 'AccessDenied' });
    const broken = await move(['--to', `@${urlFile}`]);
    assert.equal(broken.code, 1, broken.stdout);
    assert.match(broken.stderr, /STORAGE_UNAVAILABLE/);
    s3.faults.clear();
    const before = [...s3.objects.keys()].filter((key) => key.startsWith('fil_')).length;
    assert.ok(before > 0 && before < kept.length, `${before} arrived`);
    const again = await move(['--to', `@${urlFile}`]);
    assert.equal(again.code, 0, again.stderr);
    assert.equal((JSON.parse(again.stdout) as { copied: number }).copied, kept.length - before);
    assert.match(again.stderr, /set STORAGE_URL to the target/);
    assert.deepEqual(s3.objects.get(first)?.bytes, kept[0]?.bytes);
  });

  it('files move refuses to delete the storage in use, an unreadable or equal target, and the storage of another installation', async () => {
    const early = await move(['--to', s3.url(), '--delete-source']);
    assert.equal(early.code, 1);
    assert.match(early.stderr, /STORAGE_URL still names the source/);
    assert.match((await move(['--to', 'disk:'])).stderr, /the same place/);
    assert.match((await move(['--to', 'ftp://x'])).stderr, /--to cannot be read/);
    s3.objects.set(`other/${markName}`, { bytes: Buffer.from(installationIdOf('other')), modifiedAt: 0, type: '' });
    const foreign = await move(['--to', s3.url({ query: '&prefix=other/' })]);
    assert.equal(foreign.code, 78);
    assert.match(foreign.stderr, /they have the ids of two different installations[\s\S]*ins_other/);
    assert.equal([...s3.objects.keys()].filter((key) => key.startsWith('other/')).length, 1);
    assert.equal(blobsOnDisk().length, kept.length);
  });

  it('files move runs while users upload and delete, and a last run after the switch copies the rest', async () => {
    const busy = keepBusy(service.url, 2);
    const ran = await move(['--to', s3.url()]);
    await busy.stop();
    assert.equal(ran.code, 0, ran.stderr);
    kept.push(await keepFile(service.url, token));
    const doomed = await keepFile(service.url, token);
    await restart({ STORAGE_URL: s3.url() });
    await deleteFile(service.url, token, doomed.id);
    const last = await move(['--from', 'disk:', '--to', s3.url(), '--delete-source'], { STORAGE_URL: s3.url() });
    assert.equal(last.code, 0, last.stderr);
    await readsAll();
    assert.deepEqual(
      blobsOnDisk().map((path) => path.slice(-26)),
      [doomed.id],
      'only the file that has no record any more',
    );
    assert.equal((await runCommand(['files', 'check'], env({ STORAGE_URL: s3.url() }))).code, 0);
  });

  it('files move back to the disk leaves a damaged file in the source and reports it', async () => {
    const bad = await keepFile(service.url, token);
    const object = s3.objects.get(bad.id) ?? assert.fail();
    s3.objects.set(bad.id, { ...object, bytes: Buffer.alloc(object.bytes.length) });
    const there = await move(['--to', 'disk:'], { STORAGE_URL: s3.url() });
    assert.equal(there.code, 1);
    assert.deepEqual((JSON.parse(there.stdout) as { missing: string[] }).missing, [bad.id]);
    await restart({});
    await deleteFile(service.url, token, bad.id);
    const last = await move(['--from', s3.url(), '--to', 'disk:', '--delete-source']);
    assert.equal(last.code, 0, last.stderr);
    await readsAll();
    // The remaining object has no record: its file was deleted before the switch, and it is too young to be swept.
    assert.ok(s3.objects.has(bad.id));
    assert.ok(kept.every(({ id }) => !s3.objects.has(id)));
  });

  it('files move removes and names blobs without a record, but none if there are so many that records may be lost', async () => {
    const strays = Array.from({ length: 21 }, newFileId);
    for (const id of strays)
      s3.objects.set(id, { bytes: Buffer.from('once'), modifiedAt: Date.now() - 3_600_000, type: '' });
    const left = () => strays.filter((id) => s3.objects.has(id)).length;
    const many = await move(['--from', s3.url(), '--to', 'disk:', '--delete-source']);
    assert.match(many.stderr, /21 blobs without a record stay in the source/);
    assert.equal(left(), 21);
    s3.objects.delete(strays[0] ?? '');
    const few = await move(['--from', s3.url(), '--to', 'disk:', '--delete-source']);
    assert.equal((JSON.parse(few.stdout) as { removed: number }).removed, 20);
    assert.ok(strays.slice(1).every((id) => few.stderr.includes(`Removing ${id}, which has no record.`)));
    assert.equal(left(), 0);
  });
});
