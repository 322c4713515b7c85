// Backups that somebody has changed: verify names what is wrong, restore refuses before it writes, and nothing leads outside.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createS3Blobs } from '../../src/adapters/s3/s3-blobs.ts';
import { databasePath } from '../../src/backup/backup-folder.ts';
import { BackupError } from '../../src/backup/snapshot.ts';
import type { StoredFile } from '../../src/files/stored-file.ts';
import { openEmptyStore } from '../../src/service/choose-snapshots.ts';
import { providerUrl } from '../helpers/blobs/blobs.ts';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { asFileId, asUserId, userIdOf } from '../helpers/people/ids.ts';
import { isolatedEnv } from '../helpers/services/gatehouse.ts';
import { type BackupRig, openBackupRig } from './stage/backup-rig.ts';
import { addRow, type Forgery, forgeBackup, setCell } from './stage/forged-backup.ts';

const outside = '../../../escaped/authorized_keys';
const cell = (table: string, column: string, value: unknown): Forgery => ({
  rows: (lines) => setCell(lines, table, column, value),
});
const withManifest = (changes: object): Forgery => ({ manifest: (manifest) => ({ ...manifest, ...changes }) });
const moreRows =
  (table: string, count: number): Required<Forgery>['manifest'] =>
  (manifest) => ({
    ...manifest,
    rows: { ...(manifest.rows as object), [table]: count },
  });

/** What verify must say about each. */
const forgeries: Readonly<Record<string, readonly [Forgery, RegExp]>> = {
  'a file id that is a path': [
    {
      rows: (lines) => setCell(lines, 'files', 'id', outside),
      list: (lines) => lines.map((line, at) => (at === 0 ? line.replace(/fil_[\w-]{22}/, outside) : line)),
    },
    /list of files has the line .*authorized_keys.*, which names no file/,
  ],
  'a record whose id is a path': [
    cell('files', 'id', outside),
    /row 1 of files has the id “\.\.\/.*not the id of a file/,
  ],
  'a hash that is a path': [cell('files', 'sha256', '../../../../etc/passwd'), /has the sha256 .* which is not a hash/],
  'a file name that is a path': [cell('files', 'name', '../../x.png'), /not a plain file name/],
  'an owner that is no user id': [cell('files', 'user_id', '../ann'), /has the user_id .* which is not an id/],
  'a user id with a line break': [cell('users', 'id', 'a\nDamaged: nothing'), /“a\\u000aDamaged: nothing”/],
  'a text with a NUL': [cell('users', 'email', 'a\0b'), /has the email “a\\u0000b”/],
  'a text that is no text': [cell('users', 'external_id', '\ud800'), /has the external_id “\\ud800”/],
  'a size that is a text': [cell('files', 'size', '7'), /has the size “7”, which is not a whole number/],
  'a negative size': [cell('files', 'size', -1), /has the size “-1”/],
  'a fraction of a size': [cell('files', 'size', 1.5), /has the size “1\.5”/],
  'a number that is too large': [cell('users', 'created_at', 2 ** 60), /not a whole number/],
  'a value that is an object': [cell('users', 'phone', { $gt: '' }), /which is not a text or null/],
  'a value that is very deep': [
    { rows: (lines) => lines.map((line) => line.replace('"+49', `${'['.repeat(200_000)}${']'.repeat(200_000)},"+49`)) },
    /does not have 14 values/,
  ],
  'a value that is deep in its place': [
    { rows: (lines) => lines.map((line) => line.replace(/"\+49\d+"/, `${'['.repeat(200_000)}${']'.repeat(200_000)}`)) },
    /has the phone \[…\], which is not a text or null/,
  ],
  'a missing value': [cell('users', 'created_at', null), /has the created_at “null”/],
  'claims that are no JSON': [cell('users', 'claims', '{'), /not an object in JSON/],
  'a type that runs scripts': [cell('files', 'type', 'text/html'), /not a media type that files can have/],
  'a charset with a header behind it': [cell('files', 'charset', 'x\r\na: b'), /charset “x\\u000d\\u000aa: b”/],
  'an address with a header behind it': [cell('users', 'email', 'a@b.c\r\nBcc: x@y.z'), /not an e-mail address/],
  'a time before all times': [cell('users', 'blocked_at', -5), /has the blocked_at “-5”, which is not a time/],
  'a short row': [{ rows: (lines) => lines.with(1, '["x"]') }, /does not have \d+ values/],
  'a table of sessions': [
    { rows: (lines) => [...lines, '{"table":"sessions","columns":{"id":"text"}}', '["x"]'] },
    /the table “sessions” does not belong in a backup/,
  ],
  'a table with a statement for a name': [
    { rows: (lines) => [...lines, '{"table":"users; drop table users","columns":{"id":"text"}}'] },
    /does not belong in a backup/,
  ],
  'a column that no table has': [
    { rows: (lines) => lines.map((line) => line.replace('"blocked_at"', '"is_admin"')) },
    /users has the column “is_admin”/,
  ],
  'a table that comes twice': [{ rows: (lines) => [...lines, ...lines.slice(0, 2)] }, /the table users comes twice/],
  'a row before its table': [{ rows: (lines) => lines.slice(1) }, /a row comes before the first table/],
  'a line that is no JSON': [{ rows: (lines) => [...lines, '["'] }, /neither a table nor a row/],
  'a line that never ends': [{ rows: (lines) => [...lines, 'x'.repeat(5_000_000)] }, /a line of more than/],
  'a user who comes twice': [
    { rows: (lines) => addRow(lines, 'users', { phone: '+4915000019999' }), manifest: moreRows('users', 2) },
    /users has the id .* twice/,
  ],
  'more rows than it says': [
    { rows: (lines) => addRow(lines, 'users', { id: userIdOf('zed') }) },
    /users has more rows than the 1 of the manifest/,
  ],
  'a list out of order': [{ list: (lines) => lines.toReversed() }, /twice, or not in its order/],
  'a list with a file twice': [{ list: (lines) => [...lines.slice(0, 1), ...lines] }, /twice, or not in its order/],
  'a list with another hash': [
    { list: (lines) => lines.map((line) => line.replace(/"[0-9a-f]{64}"/, `"${'ab'.repeat(32)}"`)) },
    /another size or hash in the list/,
  ],
  'a list with a file without a record': [
    {
      list: (lines) => [JSON.stringify({ id: `fil_${'-'.repeat(22)}`, size: 1, sha256: 'ab'.repeat(32) }), ...lines],
      manifest: (manifest) => ({ ...manifest, files: { count: 3, bytes: 1, areIncluded: true } }),
    },
    /has 1 files without a record/,
  ],
  'a file that is missing': [
    { folder: (folder) => rmSync(join(folder, 'files'), { recursive: true }) },
    /is missing or damaged/,
  ],
  'a link in the place of a part': [
    {
      folder: (folder) => {
        rmSync(databasePath(folder));
        symlinkSync('/dev/zero', databasePath(folder));
      },
    },
    /“database\.jsonl\.gz” is neither a file nor a folder/,
  ],
  'a file that is no part of it': [
    { folder: (folder) => writeFileSync(join(folder, 'files', 'x\u001b[2J'), 'x') },
    /“files\/x\\u001b\[2J” is no part of a backup/,
  ],
  'bytes that cannot be unpacked': [
    { rows: () => [], folder: (folder) => appendFileSync(databasePath(folder), 'x') },
    /the database is damaged/,
  ],
  'a migration that is a path': [withManifest({ migrations: ['../../x'] }), /a manifest that this version cannot read/],
  'a time that is none': [withManifest({ createdAt: '\u001b[2J' }), /a manifest that this version cannot read/],
  'counts that are texts': [withManifest({ rows: { users: '1' } }), /a manifest that this version cannot read/],
  'no hashes': [withManifest({ sha256: {} }), /a manifest that this version cannot read/],
};

describe('a backup that somebody has changed', () => {
  let rig: BackupRig;
  let number = 0;
  let files: StoredFile[] = [];
  before(async () => {
    rig = await openBackupRig();
    files = [await rig.add(), await rig.add()];
    // Any caller may name an id of nobody. It is no reason to refuse the backup.
    const readers = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-4fff-8fff-ffffffffffff'];
    const purposes = [files[0]?.purpose ?? ''];
    const sharing = {
      userId: rig.owner,
      fileId: files[0]?.id ?? asFileId(''),
      readers: readers.map(asUserId),
      purposes,
      now: Date.now(),
    };
    assert.equal(await rig.ports.sharing.setReaders(sharing), 'set');
    assert.deepEqual((await rig.create('sound')).troubles, []);
  });
  after(() => rig.end());

  const forge = (forgery: Forgery) => {
    const name = `forged-${++number}`;
    forgeBackup(rig.placeOf('sound'), rig.placeOf(name), forgery);
    return name;
  };

  /** Refused with a sentence, and not one byte is written. */
  async function assertRefused(name: string): Promise<string> {
    const target = `${name}-restored`;
    const error = await rig.restore(name, target).then(
      () => assert.fail(`${name} was restored`),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof BackupError, String(error));
    assert.ok(!existsSync(rig.placeOf(target)), 'nothing is written');
    assert.ok(!existsSync(rig.placeOf('escaped')), 'nothing is written outside');
    return error.message;
  }

  for (const [what, [forgery, says]] of Object.entries(forgeries)) {
    it(`with ${what} is named by verify, and refused by restore before it writes anything`, async () => {
      const name = forge(forgery);
      const troubles = await rig.verify(name).then(
        (check) => check.troubles,
        (error: Error) => [error instanceof BackupError ? error.message : assert.fail(error)],
      );
      assert.ok(
        troubles.some((trouble) => says.test(trouble)),
        troubles.join('\n'),
      );
      for (const trouble of troubles) assert.doesNotMatch(trouble, /[\x00-\x1f\x7f-\x9f]/);
      assert.ok(troubles.every((trouble) => trouble.length < 400));
      await assertRefused(name);
    });
  }

  it('with rows that are refused has as many rows as it says', async () => {
    const { troubles } = await rig.verify(forge(cell('users', 'phone', 'x')));
    assert.deepEqual(troubles, ['row 1 of users has the phone “x”, which is not a full phone number']);
  });

  it('has at most a thousand findings, and the number of the others', async () => {
    const name = forge({
      rows: (lines) => [...lines, ...Array.from({ length: 3000 }, () => '["x"]')],
    });
    const { troubles } = await rig.verify(name);
    assert.ok(troubles.length < 1010);
    assert.ok(troubles.some((trouble) => /and 20\d\d more findings/.test(trouble)));
    assert.ok((await assertRefused(name)).length < 1000);
  });

  it('with a number that two users have is refused by the database, and leaves no file behind', async () => {
    const name = forge({
      rows: (lines) => addRow(lines, 'users', { id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }),
      manifest: moreRows('users', 2),
    });
    const target = `${name}-restored`;
    await assert.rejects(rig.restore(name, target), (error) => {
      assert.ok(error instanceof BackupError);
      return /does not accept a row of users .*UNIQUE/.test(error.message);
    });
    assert.ok(!existsSync(join(rig.placeOf(target), 'files')), 'no file is stored');
  });

  it('with migrations that do not make its columns is refused, and leaves no file behind', async () => {
    const name = forge(withManifest({ migrations: ['0001-first'] }));
    await assert.rejects(rig.restore(name, 'cut'), BackupError);
    assert.ok(!existsSync(join(rig.placeOf('cut'), 'files')));
  });

  it('is restored when nothing was changed', async () => {
    const name = forge({});
    assert.deepEqual((await rig.verify(name)).troubles, []);
    assert.equal((await rig.restore(name, 'whole')).files, files.length);
    assert.deepEqual(
      readdirSync(rig.placeOf('.')).filter((entry) => entry === 'escaped'),
      [],
    );
  });

  it('is refused by PostgreSQL before a file is in the bucket, and a sound one is restored there', async (context) => {
    const [{ env, dispose }, server] = await Promise.all([isolatedEnv('postgres'), startS3Server()]);
    context.after(async () => {
      await dispose();
      await server.stop();
    });
    const store = await openEmptyStore({ databaseUrl: env.DATABASE_URL, dataDir: String(env.DATA_DIR) });
    const target = { store, blobs: createS3Blobs(providerUrl(server.url()), rig.placeOf('spools')) };
    const double = forge({
      rows: (lines) => addRow(lines, 'users', { id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }),
      manifest: moreRows('users', 2),
    });
    const old = forge(withManifest({ migrations: ['0001-first'] }));
    for (const name of [forge(cell('files', 'id', outside)), double, old]) {
      await assert.rejects(rig.restore(name, 'nowhere', undefined, target), BackupError);
      assert.deepEqual([...server.objects.keys()], []);
    }
    assert.equal((await rig.restore('sound', 'nowhere', undefined, target)).files, 2);
    assert.equal(server.objects.size, 2);
  });
});
