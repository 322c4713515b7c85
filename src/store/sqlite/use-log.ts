// Makes a file of SQLite write ahead to a log. A new file gets its log from the process that opens it first.
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-errors.ts';

const pauseMilliseconds = 5;

/** SQLite answers «busy» at once while another process does the same, without the wait that it has for a commit. So the wait is here. */
export function useLog(db: DatabaseSync, milliseconds: number, pause = pauseHere): void {
  for (const end = performance.now() + milliseconds; ; ) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
      pause();
    }
  }
}

/** Holds up the thread, which has nothing else to do before its file is open. */
function pauseHere(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds);
}
