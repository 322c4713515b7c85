// Guard: how many requests one address may send to this node. A sliding window in memory; sends and guesses are counted in the store.

import type { LimitRule } from '../../guard/limits.ts';
import { Failure } from '../../kernel/failure.ts';

type Window = { index: number; count: number; previous: number };

/** Enough for any honest crowd; the least recently seen address is forgotten first, so a busy one never is. */
const mostAddresses = 50_000;

export function createRateGuard(
  rules: readonly LimitRule[],
  name: string,
  now: () => number = () => performance.now(),
) {
  const counters = rules.map((rule) => ({ rule, windows: new Map<string, Window>() }));
  return (address: string): void => {
    for (const { rule, windows } of counters) {
      const retryAfterSeconds = countOne(windows, rule, address, now());
      if (retryAfterSeconds === 0) continue;
      const policy = { name, quota: rule.count, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
      throw new Failure('RATE_LIMITED', { retryAfterSeconds, policy });
    }
  };
}

/** 0 when the request passes and is counted. The previous window counts by the part of it that still lies within reach. */
function countOne(
  windows: Map<string, Window>,
  { count, windowSeconds }: LimitRule,
  address: string,
  now: number,
): number {
  const position = now / 1000 / windowSeconds;
  const index = Math.floor(position);
  const known = windows.get(address);
  const window = shift(known, index);
  const weight = 1 - (position - index);
  const isFull = window.count + Math.floor(window.previous * weight) >= count;
  if (!isFull) window.count += 1;
  windows.delete(address);
  windows.set(address, window);
  if (windows.size > mostAddresses) forgetOldest(windows);
  return isFull ? Math.max(1, Math.ceil(weight * windowSeconds)) : 0;
}

function shift(known: Window | undefined, index: number): Window {
  if (known === undefined || known.index < index - 1) return { index, count: 0, previous: 0 };
  return known.index === index ? known : { index, count: 0, previous: known.count };
}

function forgetOldest(windows: Map<string, Window>): void {
  const oldest = windows.keys().next();
  if (!oldest.done) windows.delete(oldest.value);
}
