// Pruning and sending exclude each other in every order, and the claim of one process is never that of another.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBackupKey } from '../../../src/backup/backup-mac.ts';
import { claimBucket, newClaim } from '../../../src/backup/bucket/bucket-claim.ts';
import { listBackups, pruneBackups } from '../../../src/backup/bucket/prune-backups.ts';
import { writeIndex } from '../../../src/backup/bucket/sealed-index.ts';
import { createMemoryBucket } from './memory-bucket.ts';

const clock = { now: () => 1_800_000_000_000 };
const keys = [createBackupKey('a key of the backups of this test')];
const day = 24 * 3_600_000;

describe('backups that are removed', () => {
  it('are chosen under the claim: one that ends while it begins is among those that stay', async () => {
    const bucket = createMemoryBucket(clock.now);
    await pruneBackups({ bucket, keys, clock }, { keep: 1, isDry: false });
    const [claim, ...rest] = bucket.asked;
    assert.match(claim ?? '', /^put claims\/pruning-/);
    assert.deepEqual(rest.slice(0, 3), ['list claims/', 'list backups/', 'list objects/']);
    assert.match(rest.at(-1) ?? '', /^remove claims\/pruning-/);
  });

  it('stay while a backup is sent, also after another of the same name has ended', async () => {
    const bucket = createMemoryBucket(clock.now);
    const [first, second] = [newClaim('sending', 'one'), newClaim('sending', 'one')];
    const release = await claimBucket(bucket, clock, first);
    const releaseSecond = await claimBucket(bucket, clock, second);
    await release();
    const prune = () => pruneBackups({ bucket, keys, clock }, { keep: 1, isDry: false });
    await assert.rejects(prune(), /A backup is being sent to the bucket/);
    await releaseSecond();
    assert.deepEqual(await prune(), { backups: [], objects: 0, bytes: 0, unreadable: [] });
  });

  it('keep a new backup waiting, until a day after the process has gone', async () => {
    let now = clock.now();
    const bucket = createMemoryBucket(clock.now);
    await claimBucket(bucket, clock, newClaim('pruning', 'backups'));
    const send = () => claimBucket(bucket, { now: () => now }, newClaim('sending', 'one'));
    await assert.rejects(send(), /Old backups are being removed/);
    now += day + 1;
    await (await send())();
  });

  describe('beside backups that cannot be opened', () => {
    const manifest = (createdAt: string) =>
      JSON.stringify({
        format: 'gatehouse backup 2',
        createdAt,
        version: '1',
        migrations: ['0001'],
        rows: { users: 1 },
        files: { count: 0, bytes: 0, areIncluded: false },
        sha256: { database: 'a'.repeat(64), fileList: 'b'.repeat(64) },
      });
    const key = keys[0] ?? assert.fail();
    const orphan = `objects/${'c'.repeat(64)}`;
    const fill = async () => {
      const bucket = createMemoryBucket(clock.now);
      const parts = { mac: '', database: [], fileList: [] };
      for (const day of ['01', '02', '03', '04', '05', '06'])
        await writeIndex(bucket, key, day, { ...parts, manifest: manifest(`2027-01-${day}T00:00:00.000Z`) });
      bucket.objects.set('backups/04', bucket.objects.get('backups/05') ?? assert.fail());
      bucket.objects.set('backups/05', Buffer.from('GHS1'));
      await writeIndex(bucket, createBackupKey('a foreign key of the backups of this test'), '06', {
        ...parts,
        manifest: manifest('2027-01-06T00:00:00.000Z'),
      });
      bucket.objects.set(orphan, Buffer.from('x'));
      return bucket;
    };

    it('are listed, and each of the others is named with its trouble', async () => {
      const { backups, unreadable } = await listBackups(await fill(), keys);
      assert.deepEqual(
        backups.map(({ name }) => name),
        ['03', '02', '01'],
      );
      assert.deepEqual(
        unreadable.map(({ name, trouble }) => [name, /damaged|another BACKUP_KEY/.exec(trouble)?.[0]]),
        [
          ['04', 'damaged'],
          ['05', 'damaged'],
          ['06', 'another BACKUP_KEY'],
        ],
      );
    });

    it('go, and every object stays until all can be opened', async () => {
      const bucket = await fill();
      const pruned = await pruneBackups({ bucket, keys, clock }, { keep: 2, isDry: false });
      assert.deepEqual([pruned.backups, pruned.objects, pruned.unreadable.length], [['01'], 0, 3]);
      const names = [...bucket.objects.keys()].filter((name) => !name.startsWith('claims/')).toSorted();
      assert.deepEqual(names, [...['02', '03', '04', '05', '06'].map((name) => `backups/${name}`), orphan]);
      for (const name of ['04', '05', '06']) bucket.objects.delete(`backups/${name}`);
      const again = await pruneBackups({ bucket, keys, clock }, { keep: 2, isDry: false });
      assert.deepEqual([again.backups, again.objects, again.unreadable], [[], 1, []]);
    });
  });
});
