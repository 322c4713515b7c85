// The journal is written with a clock that may be set back: a deletion in the meantime is in it all the same.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createBackupKey, requireMac } from '../../../src/backup/backup-mac.ts';
import { extendJournal, type JournalSource } from '../../../src/backup/journal/extend-journal.ts';
import { readLastActs } from '../../../src/backup/journal/journal.ts';
import type { JournalEntry } from '../../../src/backup/journal/journal-kinds.ts';
import { BackupError } from '../../../src/backup/snapshot.ts';
import { firstIdAt } from '../../../src/kernel/crypto/random.ts';
import { userIdOf } from '../../helpers/people/ids.ts';

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
      list: async ({ after: id }) => ({
        entries: events.filter(({ at }) => firstIdAt(at) > id),
        next: undefined,
      }),
    };
    const erase = (name: string) => events.push({ kind: 'user.deleted', id: userIdOf(name), at: now });
    erase('first');
    assert.deepEqual(await extendJournal(source, path), { added: 1, isMixed: false });
    now += 1000 * hour;
    assert.deepEqual(await extendJournal(source, path), { added: 0, isMixed: false });
    now -= 999 * hour;
    erase('second');
    assert.deepEqual(await extendJournal(source, path), { added: 1, isMixed: false });
    now += hour;
    erase('third');
    assert.deepEqual(await extendJournal(source, path), { added: 1, isMixed: false });
    assert.deepEqual(
      [...readFileSync(path, 'utf8').matchAll(/"id":"([\w-]+)"/g)].map(([, id]) => id),
      ['first', 'second', 'third'].map(userIdOf),
    );
  });

  it('a place where no file can be written is refused with its path and what to do', async () => {
    const source: JournalSource = { clock: { now: () => 10 }, list: async () => assert.fail('nothing is read') };
    for (const path of [folder, join(folder, 'missing', 'journal')])
      await assert.rejects(extendJournal(source, path), (error) => {
        assert.ok(error instanceof BackupError);
        const [start, end] = [
          `${path} cannot be written: `,
          '. Name a file in a folder that exists and that you may write to.',
        ];
        assert.ok(error.message.startsWith(start) && error.message.endsWith(end), error.message);
        return true;
      });
  });

  it('with a key, every line that is added has a MAC, and lines from before are reported', async () => {
    const entry: JournalEntry = { kind: 'user.deleted', id: userIdOf('ann'), at: 5 };
    const source: JournalSource = {
      clock: { now: () => 10 },
      list: async () => ({ entries: [entry], next: undefined }),
    };
    const key = createBackupKey('k'.repeat(32));
    const [fresh, mixed] = [join(folder, 'fresh'), join(folder, 'mixed')];
    assert.deepEqual(await extendJournal(source, fresh, key), { added: 1, isMixed: false });
    assert.deepEqual(await extendJournal(source, fresh, key), { added: 0, isMixed: false });
    assert.equal((await readLastActs(fresh, { check: requireMac([key], false) })).reachesTo, 10);
    await extendJournal(source, mixed);
    assert.deepEqual(await extendJournal(source, mixed, key), { added: 0, isMixed: true });
    // Without the key, neither goes on: a later restore would refuse it.
    for (const path of [fresh, mixed]) {
      const before = readFileSync(path, 'utf8');
      await assert.rejects(extendJournal(source, path), /is signed, and BACKUP_KEY is not set/);
      assert.equal(readFileSync(path, 'utf8'), before);
    }
    await assert.rejects(readLastActs(mixed, { check: requireMac([key], false) }), /has no MAC/);
  });
});
