// The log of events that the server of an app reads: positions without a gap, the cursor of a reader, and when a cursor is too old.
import type { StoredEvent } from '../kernel/audit.ts';

/**
 * How far a reader has read. An era is one unbroken count of positions: a restored or recovered database starts another one,
 * because it may give a position again, to another event.
 */
export type EventPlace = { readonly era: string; readonly position: number };

/** The log as a whole. The sweep has removed events up to `sweptPosition`, and maybe not all of them. */
export type EventLog = { readonly era: string; readonly lastPosition: number; readonly sweptPosition: number };

/** Without `after`, from the oldest event that is kept. */
export type EventQuery = { readonly after: EventPlace | undefined; readonly most: number };

export type EventReading =
  | { readonly kind: 'page'; readonly events: readonly PlacedEvent[]; readonly end: EventPlace }
  /** The place is of another era, or events after it are gone. */
  | { readonly kind: 'expired' }
  /** There are events that have no position yet. */
  | { readonly kind: 'behind' };

export type PlacedEvent = StoredEvent & { readonly position: number };

export type EventStore = {
  /** Does not write. */
  read(query: EventQuery): Promise<EventReading>;
  /**
   * Gives the next positions to events that have none, then reads. An event gets its position after its commit, from one node at
   * a time. So a reader who sees a position sees every lower one too.
   */
  placeAndRead(query: EventQuery): Promise<Exclude<EventReading, { kind: 'behind' }>>;
};

/** A position beyond the last one comes from a database that was set back without a recovery. */
export function isExpired(after: EventPlace | undefined, { era, lastPosition, sweptPosition }: EventLog): boolean {
  if (after === undefined) return false;
  return after.era !== era || after.position < sweptPosition || after.position > lastPosition;
}

/** What a reader gets of the events that follow. A page that is not full ends at the last position. */
export function cutPage(
  { after, most }: EventQuery,
  log: EventLog,
  following: readonly PlacedEvent[],
): Exclude<EventReading, { kind: 'behind' }> {
  if (isExpired(after, log)) return { kind: 'expired' };
  const last = following.at(-1);
  const isFull = following.length >= most && last !== undefined;
  return {
    kind: 'page',
    events: following,
    end: { era: log.era, position: isFull ? last.position : log.lastPosition },
  };
}

/** Whether a page that is not full lacks events: they have no position yet, or got one after the page was read. */
export function isBehind(
  { after, most }: EventQuery,
  log: EventLog,
  following: readonly PlacedEvent[],
  hasUnplaced: boolean,
): boolean {
  const end = following.at(-1)?.position ?? Math.max(after?.position ?? 0, log.sweptPosition);
  return following.length < most && (hasUnplaced || end < log.lastPosition);
}

/** What a sweep removed: the highest position, and whether an event had none. */
export type SweptEvents = { readonly highest: number | undefined; readonly hasUnplaced: boolean };

/** If an event had no position, every reader has missed it, also one at the last position. */
export function sweepLog(log: EventLog, { highest = 0, hasUnplaced }: SweptEvents): EventLog {
  const lastPosition = hasUnplaced ? log.lastPosition + 1 : log.lastPosition;
  const sweptPosition = Math.max(log.sweptPosition, highest, hasUnplaced ? lastPosition : 0);
  return { ...log, lastPosition, sweptPosition };
}

/** The text is opaque to apps. */
export function writeCursor({ era, position }: EventPlace): string {
  return Buffer.from(`${era} ${position}`).toString('base64url');
}

/** Undefined if the service has not written the text. */
export function readCursor(text: string): EventPlace | undefined {
  const parts = /^([0-9a-f-]{36}) (0|[1-9]\d{0,14})$/.exec(Buffer.from(text, 'base64url').toString());
  const place = { era: parts?.[1] ?? '', position: Number(parts?.[2]) };
  return parts !== null && writeCursor(place) === text ? place : undefined;
}
