// Exact rate limits: a limit stores the time of each hit, so that no burst passes at the edge of a window.

export type LimitRule = { readonly count: number; readonly windowSeconds: number };

/** Times in ms, oldest first. */
export type Hits = readonly number[];

export type Block = { readonly rule: LimitRule; readonly retryAfterSeconds: number };

/** The rule that refuses another hit for the longest time; undefined if all rules allow it. */
export function findBlock(hits: Hits, rules: readonly LimitRule[], now: number): Block | undefined {
  let block: Block | undefined;
  for (const rule of rules) {
    const recent = hits.filter((hit) => hit > now - rule.windowSeconds * 1000);
    const oldest = recent[recent.length - rule.count];
    if (oldest === undefined) continue;
    // A hit from a clock that is ahead must not block for longer than the window.
    const wait = Math.min(oldest, now) + rule.windowSeconds * 1000 - now;
    const retryAfterSeconds = Math.max(1, Math.ceil(wait / 1000));
    if (block === undefined || retryAfterSeconds > block.retryAfterSeconds) block = { rule, retryAfterSeconds };
  }
  return block;
}

export function addHit(hits: Hits, rules: readonly LimitRule[], now: number): number[] {
  const most = Math.max(0, ...rules.map((rule) => rule.count));
  return [...dropOld(hits, longestWindow(rules), now), now].slice(-most);
}

export function longestWindow(rules: readonly LimitRule[]): number {
  return Math.max(0, ...rules.map((rule) => rule.windowSeconds));
}

function dropOld(hits: Hits, windowSeconds: number, now: number): number[] {
  return hits.filter((hit) => hit > now - windowSeconds * 1000);
}
