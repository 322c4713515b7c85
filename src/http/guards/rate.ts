// Guard: limits the requests of one IP address, or of its network, to this node.
// Uses a sliding window in memory. Messages and code attempts are counted in the store.

import type { LimitRule } from '../../abuse/limits.ts';
import { Failure } from '../../kernel/failure.ts';
import { networksOf } from '../../kernel/net/network.ts';
import type { QuotaName } from '../../kernel/quota.ts';

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
  /** The windows of one request. A call does not wait, so all of them use the same list. */
  const touched: Window[] = [];
  return (address: string): void => {
    const seconds = now() / 1000;
    const networks = networksOf(address);
    let longest: Refusal | undefined;
    let count = 0;
    for (const { rule, windows } of counters) {
      for (const { text, share } of networks) {
        const window = windows.take(text, Math.floor(seconds / rule.windowSeconds));
        touched[count++] = window;
        const quota = rule.count * share;
        const waitSeconds = waitOf(window, quota, seconds, rule.windowSeconds);
        if (waitSeconds > (longest?.waitSeconds ?? 0))
          longest = { quota, windowSeconds: rule.windowSeconds, waitSeconds };
      }
    }
    if (longest === undefined) {
      for (let at = 0; at < count; at += 1) countIn(touched[at]);
      return;
    }
    // A refused request is not counted, so it uses up nothing of a network's quota, nor of another rule's.
    const { quota, windowSeconds, waitSeconds } = longest;
    const policy = { name, quota, windowSeconds, resetSeconds: waitSeconds };
    throw new Failure('RATE_LIMITED', { retryAfterSeconds: waitSeconds, policy });
  };
}

function countIn(window: Window | undefined): void {
  if (window !== undefined) window.count += 1;
}

type Refusal = { readonly quota: number; readonly windowSeconds: number; readonly waitSeconds: number };

/** At most 0 if the request may pass. The previous window counts with the share that is still in the sliding window. */
function waitOf({ index, count, previous }: Window, quota: number, seconds: number, windowSeconds: number): number {
  const weight = 1 - (seconds / windowSeconds - index);
  // The fraction of a window to wait. If the current window is not full, only the previous one must shrink enough.
  const part = count < quota ? weight - (quota - count) / previous : weight;
  // One second more: at the exact moment the old requests still count.
  return Math.floor(part * windowSeconds) + 1;
}

type Memory = { take(address: string, index: number): Window };

/** Two generations: a used entry moves to the newer map, and the older map is dropped as a whole. Evicting single entries is slow. */
function createMemory(most: number): Memory {
  let newer = new Map<string, Window>();
  let older = new Map<string, Window>();
  const move = (address: string, window: Window): void => {
    newer.set(address, window);
    if (newer.size < most / 2) return;
    older = newer;
    newer = new Map();
  };
  return {
    take: (address, index) => {
      let window = newer.get(address);
      if (window === undefined) {
        window = older.get(address) ?? { index, count: 0, previous: 0 };
        move(address, window);
      }
      if (window.index !== index) shift(window, index);
      return window;
    },
  };
}

function shift(window: Window, index: number): void {
  window.previous = window.index < index - 1 ? 0 : window.count;
  window.count = 0;
  window.index = index;
}
