// Pruning and sending exclude each other in every order, and the claim of one process is never that of another.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBackupKey } from '../../src/backup/backup-mac.ts';
import { claimBucket, newClaim } from '../../src/backup/bucket-claim.ts';
import { pruneBackups } from '../../src/backup/prune-backups.ts';
import { createMemoryBucket } from '../helpers/memory-bucket.ts';

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
    assert.deepEqual(await prune(), { backups: [], objects: 0, bytes: 0 });
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
});
