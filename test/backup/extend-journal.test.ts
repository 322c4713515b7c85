// The journal is written with a clock that may be set back: a deletion in the meantime is in it all the same.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { extendJournal, type JournalSource } from '../../src/backup/extend-journal.ts';
import type { JournalEntry } from '../../src/backup/journal-kinds.ts';
import { firstIdAt } from '../../src/kernel/random.ts';

const hour = 3_600_000;

describe('the journal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  after(() => rmSync(folder, { recursive: true }));

  it('the journal misses no deletion after the clock ran ahead and was set back', async () => {
    const path = join(folder, 'journal');
    const events: JournalEntry[] = [];
    let now = Date.UTC(2027, 0);
    const source: JournalSource = {
      clock: { now: () => now },
      listJournal: async ({ after: id }) => ({
        entries: events.filter(({ at }) => firstIdAt(at) > id),
        next: undefined,
      }),
    };
    const erase = (id: string) => events.push({ kind: 'user.deleted', id, at: now });
    erase('first');
    assert.equal(await extendJournal(source, path), 1);
    now += 1000 * hour;
    assert.equal(await extendJournal(source, path), 0);
    now -= 999 * hour;
    erase('second');
    assert.equal(await extendJournal(source, path), 1);
    now += hour;
    erase('third');
    assert.equal(await extendJournal(source, path), 1);
    assert.deepEqual(
      [...readFileSync(path, 'utf8').matchAll(/"id":"(\w+)"/g)].map(([, id]) => id),
      ['first', 'second', 'third'],
    );
  });
});
