// A new file of SQLite that two open at once: both get it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { isBusy } from '../../../src/store/sqlite/sqlite-errors.ts';
import { useLog } from '../../../src/store/sqlite/use-log.ts';

it('a file gets its log as soon as the other that began to write to it lets go', (context) => {
  const { db, other } = openTwice(context);
  let pauses = 0;
  useLog(db, 4000, () => {
    pauses += 1;
    if (pauses === 3) other.exec('rollback');
  });
  assert.equal(pauses, 3);
  assert.deepEqual({ ...db.prepare('pragma journal_mode').get() }, { journal_mode: 'wal' });
});

it('the wait for a file that stays busy ends with what SQLite says', (context) => {
  const { db } = openTwice(context);
  assert.throws(() => useLog(db, 0, assert.fail), isBusy);
});

it('an error of the file ends the wait at once', (context) => {
  const { db } = openTwice(context);
  db.close();
  assert.throws(() => useLog(db, 4000, assert.fail), /database is not open/);
});

/** The other one has just created the file, has no log yet and is writing. */
function openTwice(context: TestContext): { readonly db: DatabaseSync; readonly other: DatabaseSync } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-new-'));
  const path = join(folder, 'gatehouse.db');
  const [db, other] = [new DatabaseSync(path), new DatabaseSync(path)];
  context.after(() => {
    for (const each of [db, other]) if (each.isOpen) each.close();
    rmSync(folder, { recursive: true });
  });
  other.exec('create table t (a); begin immediate');
  return { db, other };
}
