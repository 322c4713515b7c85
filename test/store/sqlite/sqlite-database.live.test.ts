// The file of SQLite: its log goes into the file in time, so it stays short however much is written. A full disk is named.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { mountSmallDisk } from '../../helpers/blobs/small-disk.ts';
import { noon } from '../../helpers/store/fixtures.ts';

/** A frame of the log: a page and its head. */
const frameBytes = 4096 + 24;
const pagesPerCommit = 250;

describe('the log of SQLite', () => {
  for (const mapsFile of [true, false])
    it(`goes into the file after 2,000 pages, ${mapsFile ? 'with' : 'without'} a mapping`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'));
      const path = join(folder, 'gatehouse.db');
      const database = openSqliteDatabase(path, [], false, mapsFile);
      try {
        database.migrate();
        const lengths: number[] = [];
        for (let round = 0; round < 20; round++) {
          await database.run(Array.from({ length: pagesPerCommit }, bigEvent));
          lengths.push(statSync(`${path}-wal`).size / frameBytes);
        }
        const longest = Math.max(...lengths);
        assert.ok(longest >= 2000, `a checkpoint after ${longest} pages is early`);
        assert.ok(longest < 2000 + 3 * pagesPerCommit, `${longest} pages are in the log`);
        assert.ok(statSync(path).size > 20 * pagesPerCommit * 4096 - 3000 * 4096, 'pages are missing in the file');
      } finally {
        database.close();
        rmSync(folder, { recursive: true });
      }
    });
});

describe('the migration of SQLite', () => {
  it('says that the disk is full, and runs when there is space', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-full-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const disk = mountSmallDisk(folder, 4);
    if (disk === undefined) return context.skip('mounting a small disk is not permitted here');
    const database = openSqliteDatabase(join(folder, 'gatehouse.db'), []);
    try {
      assert.ok(database.migrationStatus().length > 0);
      disk.fill();
      assert.throws(() => database.migrate(), { errstr: 'database or disk is full' });
      disk.free();
      assert.ok((database.migrate() ?? []).length > 0);
    } finally {
      database.close();
      disk.unmount();
    }
  });
});

/** Fills a page. */
function bigEvent() {
  return {
    name: 'audit.record',
    input: { kind: 'user.deleted', detail: { reason: 'x'.repeat(3500) }, now: noon },
  } as const;
}
