// After an SQLite file was set back in time: ends all sessions, codes, links and keys in one commit.
import { DatabaseSync } from 'node:sqlite';
import type { EndedCounts, RecoverableStore } from '../../backup/snapshot.ts';
import { emptiedTables, inUse, isRecoveredTo, recoveryEvent, texts } from './recovery-tables.ts';

export function openSetBackSqlite(path: string): RecoverableStore {
  return {
    endEverything: async ({ to, now, evenInUse }) => {
      const db = new DatabaseSync(path, { timeout: evenInUse ? 10_000 : 0 });
      try {
        begin(db, evenInUse);
        const ended = end(db, to, now);
        db.exec('commit');
        return ended;
      } finally {
        db.close();
      }
    },
  };
}

/** The exclusive lock fails if another process has the file open, even if that process is idle. */
function begin(db: DatabaseSync, evenInUse: boolean): void {
  try {
    db.exec(`${evenInUse ? '' : 'pragma locking_mode = exclusive;'} pragma synchronous = full; begin immediate`);
  } catch (error) {
    throw (error as { errcode?: number }).errcode === 5 && !evenInUse ? inUse() : error;
  }
}

function end(db: DatabaseSync, to: string, now: number): EndedCounts | undefined {
  if (isRecoveredTo(db.prepare(texts.lastRecovery).get()?.detail, to)) return undefined;
  const ended = { ...db.prepare(texts.counts).get() } as EndedCounts;
  db.exec(texts.recordUses);
  for (const table of emptiedTables) db.exec(`delete from ${table}`);
  db.prepare(
    "update webhooks set state = 'parked', done_at = ?, last_error = 'database recovered' where done_at is null",
  ).run(now);
  db.exec(texts.announcePhoneChanges);
  db.prepare('insert into audit_events (id, kind, detail, created_at) values (?, ?, ?, ?)').run(
    ...recoveryEvent(to, now, ended),
  );
  return ended;
}
