// The clock as an injected dependency. Times are milliseconds since the epoch.

export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** The end of the year 9999: a later time has no plain ISO form, and no place in an id. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether a clock can have given it. */
export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= lastTime;
}
