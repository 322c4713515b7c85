// Guard: how many requests one address, or the network that holds it, may send to this node. A sliding window in memory; sends and guesses are counted in the store.

import type { LimitRule } from '../../abuse/limits.ts';
import { Failure } from '../../kernel/failure.ts';
import { type Network, networksOf } from '../../kernel/network.ts';

type Window = { index: number; count: number; previous: number };

/** Enough for any honest crowd; addresses not seen lately are forgotten first, so a busy one never is. */
const mostAddresses = 50_000;

export function createRateGuard(
  rules: readonly LimitRule[],
  name: string,
  now: () => number = () => performance.now(),
) {
  const counters = rules.map((rule) => ({ rule, windows: createMemory() }));
  return (address: string): void => {
    const time = now();
    const networks = networksOf(address);
    for (const { rule, windows } of counters) {
      const { quota, retryAfterSeconds } = countOne(windows, rule, networks, time);
      if (retryAfterSeconds === 0) continue;
      const policy = { name, quota, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
      throw new Failure('RATE_LIMITED', { retryAfterSeconds, policy });
    }
  };
}

/**
 * A wait of 0 when the request passes and is counted, for the address and for the networks that hold it: one that is refused uses up
 * nothing of its neighbours'. The previous window counts by the part of it that still lies within reach.
 */
function countOne(
  windows: Memory,
  { count, windowSeconds }: LimitRule,
  networks: readonly Network[],
  now: number,
): { quota: number; retryAfterSeconds: number } {
  const position = now / 1000 / windowSeconds;
  const index = Math.floor(position);
  const weight = 1 - (position - index);
  const counted = networks.map((network) => ({ network, window: shift(windows.get(network.text), index) }));
  const full = counted.filter(
    ({ network, window }) => window.count + Math.floor(window.previous * weight) >= count * network.share,
  );
  for (const { network, window } of counted) {
    if (full.length === 0) window.count += 1;
    windows.set(network.text, window);
  }
  const parts = full.map(({ network, window }) => partToWait(window, count * network.share, weight));
  return {
    quota: count * (full[0]?.network.share ?? 1),
    // Past the moment, not onto it: there as much as before still counts.
    retryAfterSeconds:
      full.length === 0 ? 0 : Math.min(windowSeconds, Math.floor(Math.max(...parts) * windowSeconds) + 1),
  };
}

/** The part of a window after which one more passes: where this window has room, as soon as the previous one leaves it. */
function partToWait({ count, previous }: Window, quota: number, weight: number): number {
  return count < quota ? weight - (quota - count) / previous : weight;
}

function shift(known: Window | undefined, index: number): Window {
  if (known === undefined || known.index < index - 1) return { index, count: 0, previous: 0 };
  return known.index === index ? known : { index, count: 0, previous: known.count };
}

type Memory = { get(address: string): Window | undefined; set(address: string, window: Window): void };

/** In two halves: whoever is seen moves to the newer one, and the older is dropped as a whole. One map, emptied one by one, grows slow. */
function createMemory(): Memory {
  let newer = new Map<string, Window>();
  let older = new Map<string, Window>();
  return {
    get: (address) => newer.get(address) ?? older.get(address),
    set: (address, window) => {
      newer.set(address, window);
      if (newer.size < mostAddresses / 2) return;
      older = newer;
      newer = new Map();
    },
  };
}
