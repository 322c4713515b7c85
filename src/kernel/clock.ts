// Time as a part that is handed in: milliseconds since the epoch.

export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };
