// What happened on each day, in numbers for the admin page: which audit event counts as what, and how far the count has come.
import type { AuditDetail, AuditKind } from '../kernel/audit.ts';
import { firstIdAt } from '../kernel/crypto/random.ts';
import { channels, type PerChannel } from '../messages/channel.ts';

export const countKinds = [
  'signIns',
  'signUps',
  'refused',
  'wrongCodes',
  'sms',
  'mails',
  'undelivered',
  'braked',
  'files',
  'bytes',
] as const;

export type CountKind = (typeof countKinds)[number];

/** `day`: whole days in UTC since 1970. */
export type DayCount = { readonly day: number; readonly kind: CountKind; readonly amount: number };

/** An event as far as it is counted, or several of one kind and day. A later version may have written it. */
export type CountedEvent = {
  readonly kind: string;
  readonly at: number;
  /** Of several events, `size` is the sum. */
  readonly detail: AuditDetail;
  /** How many events. Default: 1. */
  readonly times?: number;
};

export type DayCountStore = {
  /**
   * Counts the next events, each exactly once, whichever node asks: the place up to which events are counted moves in the same
   * commit. Returns how many events it has looked at.
   */
  countEvents(input: CountingStep): Promise<number>;
  /** The counts since that day, with the newest events, which are not counted yet. */
  readDayCounts(input: { sinceDay: number; now: number }): Promise<DayCount[]>;
};

export type CountingStep = { readonly now: number; readonly most: number };

const minute = 60_000;
export const dayMilliseconds = 24 * 60 * minute;

/** So many days are shown, with today. */
export const shownDays = 30;

/** The first count looks back so far. Counts of other days are not made up. */
const countedDays = 31;

/**
 * Ids come from the clocks of the nodes, and a commit takes time. An event may be written after one with a higher id, so events get
 * counted only after this time. Until then a reader adds them.
 */
const settleMilliseconds = 5 * minute;

/** More new events than this are counted later, so that no reader has to go through all of them. */
export const mostUncounted = 20_000;

export function dayOf(at: number): number {
  return Math.floor(at / dayMilliseconds);
}

/** As in 2026-11-17. */
export function writeDay(day: number): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** The start of the count if none is stored. */
export function firstCounted(now: number): string {
  return firstIdAt((dayOf(now) - countedDays) * dayMilliseconds);
}

/** Events from this id on are not counted yet. */
export function settledUntil(now: number): string {
  return firstIdAt(now - settleMilliseconds);
}

type Tally = (times: number, detail: AuditDetail) => Partial<Record<CountKind, number>>;

/** What a message of each channel counts as. */
const messageCounts: PerChannel<CountKind> = { sms: 'sms', mail: 'mails' };

const tallies: Partial<Record<AuditKind, Tally>> = {
  'login.succeeded': (times) => ({ signIns: times }),
  'user.created': (times) => ({ signUps: times }),
  'login.refused': (times) => ({ refused: times }),
  'otp.failed': (times) => ({ wrongCodes: times }),
  'message.sent': (times, { channel }) => {
    const known = channels.find((each) => each === channel);
    return known === undefined ? {} : { [messageCounts[known]]: times };
  },
  'message.parked': (times) => ({ undelivered: times }),
  'sms.suspended': (times) => ({ braked: times }),
  'file.stored': (times, { size }) => ({ files: times, bytes: isSize(size) ? size : 0 }),
};

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Sums by day and kind, in the order of days and kinds. */
export function countDays(events: readonly CountedEvent[], before: readonly DayCount[] = []): DayCount[] {
  const sums = new Map<string, DayCount>();
  const add = ({ day, kind, amount }: DayCount) => {
    const id = countId({ day, kind });
    sums.set(id, { day, kind, amount: (sums.get(id)?.amount ?? 0) + amount });
  };
  for (const count of before) add(count);
  for (const { kind, at, detail, times = 1 } of events) {
    const tally = Object.hasOwn(tallies, kind) ? tallies[kind as AuditKind]?.(times, detail) : undefined;
    for (const [name, amount] of Object.entries(tally ?? {})) add({ day: dayOf(at), kind: name as CountKind, amount });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day || countKinds.indexOf(a.kind) - countKinds.indexOf(b.kind));
}

/** The key of a count in the store. */
export function countId({ day, kind }: Pick<DayCount, 'day' | 'kind'>): string {
  return `${day} ${kind}`;
}
