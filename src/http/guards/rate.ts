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
  rememberedAddresses = mostAddresses,
) {
  const counters = rules.map((rule) => ({ rule, windows: createMemory(rememberedAddresses) }));
  return (address: string): void => {
    const time = now();
    const networks = networksOf(address);
    const counts = counters.flatMap(({ rule, windows }) =>
      networks.map((network) => look(windows, rule, network, time)),
    );
    let longest: Count | undefined;
    for (const each of counts) if (each.waitSeconds > (longest?.waitSeconds ?? 0)) longest = each;
    for (const { windows, text, window } of counts) {
      // A refused request is not counted, so it uses up nothing of a network's quota, nor of another rule's.
      if (longest === undefined) window.count += 1;
      windows.set(text, window);
    }
    if (longest === undefined) return;
    const { quota, windowSeconds, waitSeconds } = longest;
    const policy = { name, quota, windowSeconds, resetSeconds: waitSeconds };
    throw new Failure('RATE_LIMITED', { retryAfterSeconds: waitSeconds, policy });
  };
}

/** What one rule has counted for an IP address or one of its networks. */
type Count = {
  readonly windows: Memory;
  readonly text: string;
  readonly window: Window;
  readonly quota: number;
  readonly windowSeconds: number;
  /** At most 0 if the request may pass. */
  readonly waitSeconds: number;
};

/** The previous window counts with the share that is still in the sliding window. */
function look(windows: Memory, { count, windowSeconds }: LimitRule, { text, share }: Network, now: number): Count {
  const position = now / 1000 / windowSeconds;
  const index = Math.floor(position);
  const weight = 1 - (position - index);
  const quota = count * share;
  const window = shift(windows.get(text), index);
  // The fraction of a window to wait. If the current window is not full, only the previous one must shrink enough.
  const part = window.count < quota ? weight - (quota - window.count) / window.previous : weight;
  // One second more: at the exact moment the old requests still count.
  return { windows, text, window, quota, windowSeconds, waitSeconds: Math.floor(part * windowSeconds) + 1 };
}

function shift(known: Window | undefined, index: number): Window {
  if (known === undefined || known.index < index - 1) return { index, count: 0, previous: 0 };
  return known.index === index ? known : { index, count: 0, previous: known.count };
}

type Memory = { get(address: string): Window | undefined; set(address: string, window: Window): void };

/** Two generations: a used entry moves to the newer map, and the older map is dropped as a whole. Evicting single entries is slow. */
function createMemory(most: number): Memory {
  let newer = new Map<string, Window>();
  let older = new Map<string, Window>();
  return {
    get: (address) => newer.get(address) ?? older.get(address),
    set: (address, window) => {
      newer.set(address, window);
      if (newer.size < most / 2) return;
      older = newer;
      newer = new Map();
    },
  };
}
