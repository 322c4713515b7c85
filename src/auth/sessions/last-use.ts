// The last use of an account: recorded with the user at sign-ins, at most once a day, and with each session at its refreshes.

const day = 86_400_000;

/** The record of a user. An account of an older version may have no record of its use. */
export type UseRecord = { readonly seenAt: number | undefined; readonly createdAt: number };

/** What the record says. The stored sessions of the user may have been used later. */
export function recordedUse({ seenAt, createdAt }: UseRecord): number {
  return seenAt ?? createdAt;
}

/** A sign-in is recorded at most once a day, so that a user who signs in often costs no more writes. */
export function isRecordDue(record: UseRecord, now: number): boolean {
  return now - recordedUse(record) >= day;
}

/** The use to record before sessions of the user are removed. Undefined if the record is not older. */
export function useToRecord(record: UseRecord, lastUseOfSessions: number): number | undefined {
  return lastUseOfSessions > recordedUse(record) ? lastUseOfSessions : undefined;
}

/** Whether the number of an account that was last used then may belong to somebody else now. */
export function isLongUnused(lastUse: number, recycledSeconds: number, now: number): boolean {
  return now - lastUse > recycledSeconds * 1000;
}
