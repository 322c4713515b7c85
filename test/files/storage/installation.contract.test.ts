// Whether a database and a storage belong together, judged by their ids and their contents.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, it } from 'node:test';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import { adoptStorage } from '../../../src/files/storage/adopt-storage.ts';
import { type BlobStore, markName } from '../../../src/files/storage/blob-store.ts';
import { foreignMark, InstallationMismatch } from '../../../src/files/storage/installation.ts';
import {
  requireInstallation,
  settleInstallation,
  settleTarget,
} from '../../../src/files/storage/settle-installation.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { keepBytes, makeOld, someBytes } from '../../helpers/blobs/blobs.ts';
import { installationIdOf } from '../../helpers/people/ids.ts';
import { newUser, store } from '../../helpers/store/file-fixtures.ts';
import { onEveryStore } from '../../helpers/store/test-store.ts';

/** Instead of the second that the service waits before it looks again. */
const atOnce = async () => undefined;

onEveryStore('an installation', (open) => {
  const folders: string[] = [];
  let root = '';
  let blobs: BlobStore;
  const deps = (changed: Partial<BlobStore> = {}) => ({
    files: open().ports.files,
    installations: open().ports.installations,
    clock: { now: () => Date.now() },
    blobs: { ...blobs, ...changed },
  });
  const whole = async () => {
    const file = await store(open().ports, await newUser(open().ports, Date.now()), Date.now(), { file: { size: 3 } });
    await keepBytes(blobs, someBytes(3), file.id);
    makeOld(root);
  };
  const refused = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => assert.fail('it was not refused'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof InstallationMismatch, String(error));
    return error.discord;
  };

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-installation-'));
    folders.push(root);
    blobs = createDiskBlobs(root);
    for (const table of ['files', 'installation', 'audit_events']) await open().query(`delete from ${table}`);
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('an installation is created once, however many nodes start at the same time', async () => {
    const settled = await Promise.all(Array.from({ length: 8 }, () => settleInstallation(deps())));
    assert.ok(settled.every((isSettled) => isSettled));
    const [row] = await open().rows('installation');
    assert.match(row?.id ?? '', /^ins_[\w-]{22}$/);
    assert.equal(await blobs.readMark(), row?.id);
    await requireInstallation(deps());
  });

  it('an installation of an earlier version is joined if every sampled file has a record, and refused if one has none', async () => {
    await whole();
    await whole();
    assert.equal(await refused(requireInstallation(deps())), 'not joined');
    const stranger = await keepBytes(blobs, someBytes(3));
    makeOld(root);
    assert.equal(await refused(settleInstallation(deps(), atOnce)), 'strange files');
    assert.equal(await blobs.readMark(), undefined);
    assert.deepEqual(await open().rows('installation'), []);
    await blobs.remove(stranger);
    assert.equal(await settleInstallation(deps()), true);
    await blobs.writeMark(undefined);
    assert.equal(await settleInstallation(deps()), true, 'a lost mark is written again');
    assert.equal(await blobs.readMark(), (await open().rows('installation'))[0]?.id);
    writeFileSync(join(root, markName), '');
    assert.equal(await settleInstallation(deps()), true, 'so is a truncated one');
    assert.equal(await blobs.readMark(), (await open().rows('installation'))[0]?.id);
  });

  it('an installation refuses a storage that lost its files, is empty by mistake, or belongs to another installation', async () => {
    await settleInstallation(deps());
    await whole();
    const own = blobs;
    blobs = createDiskBlobs(join(root, 'elsewhere'));
    assert.equal(await refused(settleInstallation(deps(), atOnce)), 'no files');
    await blobs.writeMark(installationIdOf('other'));
    assert.equal(await refused(settleInstallation(deps(), atOnce)), 'two installations');
    assert.equal(await refused(settleTarget(deps())), 'two installations');
    await blobs.writeMark(undefined);
    await settleTarget(deps());
    assert.equal(await blobs.readMark(), await own.readMark(), 'a new storage to move to gets the same id');
  });

  it('an installation is judged only when the storage answers, and checked twice before it is refused', async () => {
    const away = { readMark: () => Promise.reject(new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 })) };
    await assert.rejects(settleInstallation(deps(away)), Failure);
    assert.deepEqual(await open().rows('installation'), []);
    await settleInstallation(deps());
    const mark = await blobs.readMark();
    let looks = 0;
    const late = { readMark: async () => (looks++ === 0 ? installationIdOf('other') : mark) };
    assert.equal(await settleInstallation(deps(late)), true, 'another node joined them in the meantime');
  });

  it('a storage is adopted under a new id with actor and reason, and its former database is refused', async () => {
    const before = installationIdOf('before');
    await blobs.writeMark(before);
    assert.equal(await refused(settleInstallation(deps(), atOnce)), 'new database');
    const id = await adoptStorage(deps(), { actor: 'cli', why: 'a test' });
    assert.notEqual(id, before);
    assert.equal(await settleInstallation(deps()), true);
    const [event] = await open().rows('audit_events');
    assert.equal(event?.kind, 'storage.adopted');
    const detail = { installation: id, before, actor: 'cli', why: 'a test' };
    assert.deepEqual(JSON.parse(event?.detail ?? ''), detail);
  });

  it('a storage with a mark of another program is refused, and adopted without a word of it', async () => {
    await settleInstallation(deps());
    writeFileSync(join(root, markName), '\u001b[2Jnothing is wrong\n'.repeat(200));
    assert.equal(await refused(settleInstallation(deps(), atOnce)), 'two installations');
    await adoptStorage(deps(), { actor: 'cli', why: 'a test' });
    const [event] = await open().rows('audit_events');
    assert.equal(JSON.parse(event?.detail ?? '').before, foreignMark);
    assert.equal(await settleInstallation(deps()), true);
  });
});
