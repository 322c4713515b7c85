// Limits per caller: per IP address, and for IPv6 also per enclosing network.
import { sha256 } from '../kernel/crypto/digest.ts';
import { networksOf } from '../kernel/net/network.ts';
import { addHit, type Block, findBlock, type Hits, type LimitRule, longestWindow } from './limits.ts';
import { addToTally, findTallyBlock, readTally, type Tally } from './tally.ts';

/** An IP address is counted exactly, a wide network in time spans. */
export type CallerCounter = {
  readonly id: string;
  readonly network: string;
  readonly rules: readonly LimitRule[];
  readonly isWide: boolean;
};

/** Reads the stored value of a counter; undefined if there is none. */
export type ReadCounter = (id: string) => unknown;

/** The new value of a counter, and the time after which it may be deleted. */
export type Count = { readonly id: string; readonly value: unknown; readonly endsAt: number };

/** Empty if the limit is off. */
export function callerCounters(name: string, address: string, rules: readonly LimitRule[]): CallerCounter[] {
  if (rules.length === 0) return [];
  return networksOf(address).map(({ text, share }) => ({
    id: `${name}:${sha256(text)}`,
    network: text,
    rules: rules.map((rule) => ({ ...rule, count: rule.count * share })),
    isWide: share > 1,
  }));
}

/** The block that lasts longest; undefined if the caller is not blocked. */
export function findCallerBlock(counters: readonly CallerCounter[], read: ReadCounter, now: number): Block | undefined {
  return counters
    .map((counter) => findCounterBlock(counter, read(counter.id), now))
    .reduce((longest, block) => (isLonger(block, longest) ? block : longest), undefined);
}

export function findCounterBlock({ rules, isWide }: CallerCounter, value: unknown, now: number): Block | undefined {
  return isWide ? findTallyBlock((value ?? {}) as Tally, rules, now) : findBlock((value ?? []) as Hits, rules, now);
}

export function countCaller(counters: readonly CallerCounter[], read: ReadCounter, now: number): Count[] {
  return counters.map(({ id, rules, isWide }) => {
    const value = read(id);
    const counted = isWide ? addToTally((value ?? {}) as Tally, rules, now) : addHit((value ?? []) as Hits, rules, now);
    // A span is kept until all of its hits have left the window.
    return { id, value: counted, endsAt: now + longestWindow(rules) * (isWide ? 2 : 1) * 1000 };
  });
}

export function readCounter({ isWide }: CallerCounter, value: unknown, now: number) {
  if (isWide) return readTally((value ?? {}) as Tally, now);
  const hits = (value ?? []) as Hits;
  return { hits: hits.length, lastAt: hits.at(-1) };
}

function isLonger(block: Block | undefined, longest: Block | undefined): boolean {
  return block !== undefined && block.retryAfterSeconds > (longest?.retryAfterSeconds ?? 0);
}
