// Guard: limits the requests of one IP address, or of its network, to this node.
// Uses a sliding window in memory. Messages and code attempts are counted in the store.

import type { LimitRule } from '../../abuse/limits.ts';
import { Failure, type QuotaName } from '../../kernel/failure.ts';
import { type Network, networksOf } from '../../kernel/network.ts';

type Window = { index: number; count: number; previous: number };

/** More than the legitimate clients of one node. The entries that were not used recently are evicted first. */
const mostAddresses = 50_000;

export function createRateGuard(
  rules: readonly LimitRule[],
  name: QuotaName,
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
 * Returns a wait of 0 if the request passes. It is then counted for the IP address and for its networks. A refused request is not
 * counted, so it uses up nothing of the network's quota. The previous window counts with the share that is still in the sliding window.
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
    // One second more: at the exact moment the old requests still count.
    retryAfterSeconds:
      full.length === 0 ? 0 : Math.min(windowSeconds, Math.floor(Math.max(...parts) * windowSeconds) + 1),
  };
}

/** The fraction of a window to wait. If the current window is not full, only the previous one must shrink enough. */
function partToWait({ count, previous }: Window, quota: number, weight: number): number {
  return count < quota ? weight - (quota - count) / previous : weight;
}

function shift(known: Window | undefined, index: number): Window {
  if (known === undefined || known.index < index - 1) return { index, count: 0, previous: 0 };
  return known.index === index ? known : { index, count: 0, previous: known.count };
}

type Memory = { get(address: string): Window | undefined; set(address: string, window: Window): void };

/** Two generations: a used entry moves to the newer map, and the older map is dropped as a whole. Evicting single entries is slow. */
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
