// Ends the leases of a service that was killed: if nobody else has the file open, nobody holds a message or an upload any more.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { OutboxState } from '../../messages/message-log.ts';

const [claimed, begun] = ['claimed', 'sending'] as const satisfies readonly OutboxState[];
/** A service that is killed again right after its start did not begin the same messages again: they can bear only one more doubt. */
const pauseMilliseconds = 1000;

/**
 * For the start of a service, before its store is open. Every connection to the file keeps a shared lock on it, and the system takes
 * the locks of a dead process away. So the exclusive lock, for which nothing waits here, is given only if there is no other
 * connection of any process, and none can open until it is closed. Otherwise, and in any trouble, the leases end in their own time.
 * A message that was begun stays one that may have been sent: the next claim counts a doubt, as it does after any lease. It waits for a
 * moment; those that were not begun are due at once, in their old order.
 * An upload in one request is gone with its process, and the bytes of a file in the making are due. An upload in several requests
 * waits for its client, with all its bytes. True if nobody else has the file open.
 */
export function endLeasesIfAlone(path: string): boolean {
  if (!existsSync(path)) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('pragma locking_mode = exclusive; pragma synchronous = full; begin immediate');
    db.prepare('update outbox set due_at = created_at where state = ?').run(claimed);
    db.prepare(`update outbox set due_at = ${now} + ? where state = ?`).run(pauseMilliseconds, begun);
    for (const ending of endings) attempt(() => db?.exec(ending));
    db.exec('commit');
    return true;
  } catch {
    // Another process has the file open, or the file is new, damaged or on a full disk: the store says so if it cannot be used.
    return false;
  } finally {
    db?.close();
  }
}

const now = "cast(unixepoch('subsec') * 1000 as integer)";

/** Each one fails on a file of an older version without its table. The others, and the messages, still count. */
const endings = [
  'delete from uploads where id not in (select id from resumables)',
  'update resumables set finisher = null, finish_until = null where finisher is not null and ended_at is null',
  `update pending_files set due_at = min(due_at, ${now})`,
];

function attempt(ending: () => void): void {
  try {
    ending();
  } catch {
    // No such table.
  }
}
