// The file of SQLite: its log goes into the file in time, so it stays short however much is written.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
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
          database.shortenLog();
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

  it('a commit leaves a long log alone, so that its callers need not wait, and cuts one that is twice as long', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'));
    const path = join(folder, 'gatehouse.db');
    const database = openSqliteDatabase(path, []);
    database.migrate();
    const reader = new DatabaseSync(path);
    const look = () => ({ ...reader.prepare('pragma wal_checkpoint(noop)').get() }) as Record<string, number>;
    try {
      let seen = look();
      while ((seen.log ?? 0) < 2100) {
        await database.run(Array.from({ length: pagesPerCommit }, bigEvent));
        seen = look();
      }
      assert.equal(seen.checkpointed, 0);
      database.shortenLog();
      seen = look();
      assert.equal(seen.checkpointed, seen.log);
      const lengths: number[] = [];
      for (let round = 0; round < 40; round++) {
        await database.run(Array.from({ length: pagesPerCommit }, bigEvent));
        lengths.push(look().log ?? 0);
      }
      const longest = Math.max(...lengths);
      assert.ok(longest >= 4000 && longest < 4000 + 3 * pagesPerCommit, `${longest} pages are in the log`);
    } finally {
      reader.close();
      database.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('a log that cannot be shortened fails nobody', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'));
    const database = openSqliteDatabase(join(folder, 'gatehouse.db'), []);
    database.close();
    database.shortenLog();
    rmSync(folder, { recursive: true });
  });
});

/** Fills a page. */
function bigEvent() {
  return {
    name: 'recordAudit',
    input: { kind: 'user.deleted', detail: { reason: 'x'.repeat(3500) }, now: noon },
  } as const;
}
