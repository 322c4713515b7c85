// Backups that share the files of an earlier one: each is complete by itself, damaged files are found, and any backup may be removed.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { createDiskBlobs } from '../../src/adapters/disk/disk-blobs.ts';
import { openBackupFiles } from '../../src/backup/backup-files.ts';
import { createBackupKey } from '../../src/backup/backup-mac.ts';
import { readFileList } from '../../src/backup/file-list.ts';
import type { StoredFile } from '../../src/files/stored-file.ts';
import { runCommand } from '../helpers/commands/run-command.ts';
import { asFileId } from '../helpers/people/ids.ts';
import { type BackupRig, openBackupRig } from './stage/backup-rig.ts';

describe('a backup made with --since', () => {
  let rig: BackupRig;
  let files: StoredFile[];
  const pathOf = (name: string, file: StoredFile) =>
    openBackupFiles(rig.placeOf(name), createDiskBlobs(join(rig.placeOf(name), 'files'))).pathOf(file);

  before(async () => {
    rig = await openBackupRig();
    files = [];
    for (let index = 0; index < 20; index++) files.push(await rig.add());
  });
  after(() => rig.end());

  it('a backup with --since copies only the files that the earlier backup lacks, and is complete', async () => {
    assert.equal((await rig.create('one')).copied.count, 20);
    const twin = Buffer.from('the same bytes twice');
    for (const bytes of [undefined, twin, twin]) files.push(await rig.add(bytes));
    await rig.ports.files.deleteFile({ userId: rig.owner, id: files[0]?.id ?? asFileId(''), now: 0 });
    const before = rig.reads();
    const two = await rig.create('two', 'one');
    assert.deepEqual([two.files.count, two.copied.count, rig.reads() - before], [22, 3, 3]);
    const three = await rig.create('three', 'two');
    assert.deepEqual([three.files.count, three.copied.count, rig.reads() - before], [22, 0, 3]);
    const ids = await Array.fromAsync(readFileList(rig.placeOf('three')), ({ id }) => id);
    assert.deepEqual(ids, ids.toSorted());
    for (const name of ['one', 'two', 'three']) assert.deepEqual((await rig.verify(name)).troubles, [], name);
    assert.equal((await rig.verify('three', 'two')).shared, 22);
  });

  it('a backup with --since is restored with correct quotas after the earlier backup is removed', async () => {
    cpSync(rig.placeOf('three'), rig.placeOf('alone'), { recursive: true });
    rmSync(rig.placeOf('one'), { recursive: true });
    assert.deepEqual((await rig.verify('two')).troubles, []);
    const { files: count, bytes } = await rig.restore('two', 'place');
    assert.equal(count, 22);
    const db = new DatabaseSync(join(rig.placeOf('place'), 'gatehouse.db'));
    assert.deepEqual({ ...db.prepare('select bytes, files from file_usage').get() }, { bytes, files: 22 });
    db.close();
  });

  it('verify names every missing or changed file in each backup that shares it, and the next backup copies it again', async () => {
    const [, flipped, missing, cut] = files;
    if (flipped === undefined || missing === undefined || cut === undefined) assert.fail();
    const bytes = readFileSync(pathOf('two', flipped));
    writeFileSync(pathOf('two', flipped), Buffer.from(bytes.map((byte, index) => (index === 7 ? byte ^ 1 : byte))));
    rmSync(pathOf('two', missing));
    truncateSync(pathOf('two', cut), 10);
    for (const [name, count] of [
      ['two', 3],
      ['three', 2],
    ] as const) {
      const { troubles } = await rig.verify(name);
      assert.match(
        troubles.join('\n'),
        new RegExp(`${flipped.id} is missing or damaged \\(files/.*${flipped.sha256}\\)`),
      );
      assert.equal(troubles.at(-1), `${count} of 22 files are missing or damaged`);
    }
    await assert.rejects(rig.restore('two', 'nowhere'), /missing or damaged/);
    // The operator removes the files that verify names. A file that is too short is found without verify.
    rmSync(pathOf('two', flipped));
    assert.equal((await rig.create('four', 'two')).copied.count, 3);
    assert.deepEqual((await rig.verify('four')).troubles, []);
  });

  it('a backup with --since reuses the files of an interrupted backup, which verify and restore refuse', async () => {
    renameSync(join(rig.placeOf('alone'), 'manifest.json'), join(rig.placeOf('alone'), 'manifest.json.part'));
    await assert.rejects(rig.verify('alone'), /is not a finished backup/);
    await assert.rejects(rig.restore('alone', 'nowhere'), /is not a finished backup/);
    assert.equal((await rig.create('five', 'alone')).copied.count, 0);
    await assert.rejects(rig.create('six', 'nothing here'), /is not the folder of a backup/);
  });

  it('a backup with --since shares files with a backup of the first format, which can still be verified and restored', async () => {
    const old = rig.placeOf('old');
    cpSync(rig.placeOf('four'), old, { recursive: true });
    rmSync(join(old, 'files'), { recursive: true });
    const byId = openBackupFiles(old, createDiskBlobs(join(old, 'files')), 'gatehouse backup 1');
    const facts = await Array.fromAsync(readFileList(old));
    for (const file of facts) {
      mkdirSync(dirname(byId.pathOf(file)), { recursive: true });
      cpSync(pathOf('four', { ...file } as StoredFile), byId.pathOf(file));
    }
    // The first format lists files in no order.
    const list = facts
      .map((file) => `${JSON.stringify(file)}\n`)
      .toReversed()
      .join('');
    writeFileSync(join(old, 'files.jsonl'), list);
    const manifest = JSON.parse(readFileSync(join(old, 'manifest.json'), 'utf8'));
    manifest.format = 'gatehouse backup 1';
    manifest.sha256.fileList = createHash('sha256').update(list).digest('hex');
    writeFileSync(join(old, 'manifest.json'), JSON.stringify(manifest));
    assert.deepEqual((await rig.verify('old')).troubles, []);
    assert.equal((await rig.restore('old', 'old place')).files, 22);
    assert.equal((await rig.create('seven', 'old')).copied.count, 0);
  });

  it('verify --since says of no file that it did not read that it is as it was made', async () => {
    const secret = randomBytes(32).toString('base64');
    await rig.create('signed', 'four', createBackupKey(secret));
    const verify = async (...options: string[]) => {
      const ran = await runCommand(['backup', 'verify', rig.placeOf('signed'), ...options], { BACKUP_KEY: secret });
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      return ran.stdout;
    };
    assert.match(await verify(), /The backup is complete\. Its MAC is right: nothing was changed since it was made/);
    const shared = await verify('--since', rig.placeOf('four'));
    assert.match(shared, /22 are shared with .*four and were not read/);
    assert.match(shared, /What was read is complete\. Its MAC is right: nothing of that was changed since it was made/);
    assert.doesNotMatch(shared, /The backup is complete|nothing was changed/);
  });

  it('backup create --since writes a shared backup to one file and refuses targets that cannot work', async () => {
    const env = { DATA_DIR: rig.dataDir, LOG_LEVEL: 'silent' };
    const file = rig.placeOf('a.tar');
    const made = await runCommand(['backup', 'create', '--to', file, '--since', rig.placeOf('four'), '--json'], env);
    assert.equal(made.code, 0, made.stderr);
    const { files: packed, copied } = JSON.parse(made.stdout);
    assert.deepEqual([packed.count, copied], [22, { count: 0, bytes: 0 }]);
    const verified = await runCommand(['backup', 'verify', file], {});
    assert.equal(verified.code, 0, verified.stdout);
    const [bare, lost] = await Promise.all([
      runCommand(['backup', 'create', '--to', rig.placeOf('b'), '--since', rig.placeOf('four'), '--db-only'], env),
      runCommand(['backup', 'create', '--to', rig.placeOf('b'), '--since', rig.placeOf('a.tar')], env),
    ]);
    mkdirSync(`${rig.placeOf('c.tar')}.part/files`, { recursive: true });
    const refused = await Promise.all([
      runCommand(['backup', 'create', '--to', '/proc/x/y'], env),
      runCommand(['backup', 'create', '--to', rig.placeOf('c.tar')], env),
      runCommand(['restore', file, '--yes'], { DATA_DIR: '/proc/x/y' }),
    ]);
    assert.match(refused[0].stderr, /--to cannot be \/proc\/x\/y: no folder can be created there/);
    assert.match(refused[1].stderr, /another backup is running or was interrupted\. Remove it/);
    assert.match(refused[2].stderr, /DATA_DIR cannot be \/proc\/x\/y: no folder can be created there/);
    assert.match(bare.stderr, /nothing to share/);
    assert.match(lost.stderr, /is not the folder of a backup/);
    assert.ok(
      !readdirSync(dirname(rig.placeOf('b'))).includes('b'),
      'no folder is created before the options are checked',
    );
  });
});
