// The clock as an injected dependency. Times are milliseconds since the epoch.

export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };
