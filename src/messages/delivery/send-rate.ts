// The rate that a provider announces (`?rate=` messages per second): how many messages may leave now, and when the next one may.

/** A few may leave together, so that a timer need not run for each. */
const burstMilliseconds = 100;

/** `takenUntil`: when the messages that have left are paid for. */
export function mayLeave(takenUntil: number, rate: number, now: number): number {
  const room = now + burstMilliseconds - Math.max(takenUntil, now - 1000 / rate);
  return Math.max(0, Math.floor((room * rate) / 1000));
}

/** When the next one may leave. */
export function leavesAt(takenUntil: number, rate: number, now: number): number {
  if (mayLeave(takenUntil, rate, now) > 0) return now;
  return Math.max(now + 1, Math.ceil(takenUntil + 1000 / rate - burstMilliseconds));
}

export function noteLeaving(takenUntil: number, rate: number, now: number): number {
  return Math.max(takenUntil, now - 1000 / rate) + 1000 / rate;
}
