// The file of SQLite: its log goes into the file in time, so it stays short however much is written. A new file can be opened by two.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
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

/** What a process does that has just opened a new file, and does not use a log yet. */
const holdsNewFile = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(workerData);
  db.exec('create table t (a); begin immediate');
  parentPort.postMessage('held');
  setTimeout(() => db.close(), 100);`;

describe('a new file of SQLite', () => {
  it('is opened as soon as the other process that opened it too lets go of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-new-'));
    const path = join(folder, 'gatehouse.db');
    const other = new Worker(holdsNewFile, { eval: true, workerData: path });
    try {
      await once(other, 'message');
      const database = openSqliteDatabase(path, []);
      assert.ok((database.migrate() ?? []).length > 0);
      database.close();
    } finally {
      await other.terminate();
      rmSync(folder, { recursive: true });
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
