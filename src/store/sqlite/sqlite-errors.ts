// Which errors of SQLite are trouble with the database, as opposed to a bug.

const busy = 5;

/** Busy, locked, out of memory, read-only, input/output, corrupt, full, cannot open. */
const troubles = new Set([busy, 6, 7, 8, 10, 11, 13, 14]);

/** The database is the cause: running the same again at once would not help. */
export function isTrouble(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && troubles.has(code);
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === busy;
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: number } | undefined)?.errcode;
  return code === undefined ? undefined : code & 0xff;
}
