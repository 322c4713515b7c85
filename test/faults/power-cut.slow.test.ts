// The power is cut: everything that was not synced is lost, under SQLite and the files, and under PostgreSQL and the files.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startPostgresServer } from '../helpers/databases/postgres-server.ts';
import { factor, rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { openCrashRig } from './rig/crash-rig.ts';
import { makeLoopDisk } from './rig/loop-disk.ts';

const notPermitted = 'cutting the power of an image is not permitted here';

describe('a power cut', () => {
  it('a power cut loses no acknowledged step and lets nothing be used twice', async (test) => {
    const disk = makeLoopDisk();
    if (disk === undefined) return test.skip(notPermitted);
    const undo = undoAfter(test);
    undo(disk.remove);
    const rig = await openCrashRig('sqlite', { DATA_DIR: join(disk.folder, 'data') });
    undo(rig.dispose);
    for (let round = 0; round < rounds(2); round++) {
      await rig.strike(async (service) => {
        disk.cutPower();
        await service.stop('SIGKILL');
        disk.mount();
      });
    }
    test.diagnostic(await rig.finish());
  });

  it('a power cut under PostgreSQL and its files loses no acknowledged step', {
    skip: factor === 1 && 'takes a minute: npm run faults',
  }, async (test) => {
    const disk = makeLoopDisk();
    if (disk === undefined) return test.skip(notPermitted);
    const undo = undoAfter(test);
    undo(disk.remove);
    // A small log makes checkpoints frequent, so that they are cut too.
    const settings = ['max_wal_size=32MB', 'min_wal_size=32MB', 'checkpoint_timeout=30s'];
    const postgres = await startPostgresServer({ data: join(disk.folder, 'postgres'), settings });
    undo(postgres.end);
    const files = join(disk.folder, 'files');
    mkdirSync(files);
    disk.sync();
    const rig = await openCrashRig('sqlite', { DATABASE_URL: postgres.url, DATA_DIR: files });
    undo(rig.dispose);
    for (let round = 0; round < rounds(2); round++) {
      await rig.strike(async (service) => {
        disk.cutPower();
        await Promise.all([service.stop('SIGKILL'), postgres.kill()]);
        disk.mount();
        await postgres.start();
      });
    }
    test.diagnostic(`PostgreSQL: ${await rig.finish()}`);
  });
});
