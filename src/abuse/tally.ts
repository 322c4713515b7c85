// Rate limits of a whole network, counted in time spans to keep rows small. The error is at most one span, always stricter.
import type { Block, LimitRule } from './limits.ts';

/** Hits per span, by the length of the window in seconds. */
export type Tally = Readonly<Record<string, readonly (readonly [span: number, hits: number])[]>>;

const spansPerWindow = 12;

/** The rule that refuses another hit for the longest time; undefined if all rules allow it. */
export function findTallyBlock(tally: Tally, rules: readonly LimitRule[], now: number): Block | undefined {
  let block: Block | undefined;
  for (const rule of rules) {
    const recent = recentSpans(tally, rule, now);
    let left = recent.reduce((sum, [, hits]) => sum + hits, 0);
    if (left < rule.count) continue;
    const freeing = recent.find(([, hits]) => {
      left -= hits;
      return left < rule.count;
    });
    if (freeing === undefined) continue;
    const endsAt = (freeing[0] + spansPerWindow + 1) * spanLength(rule);
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
    if (block === undefined || retryAfterSeconds > block.retryAfterSeconds) block = { rule, retryAfterSeconds };
  }
  return block;
}

export function addToTally(tally: Tally, rules: readonly LimitRule[], now: number): Tally {
  return Object.fromEntries(
    rules.map((rule) => {
      const span = spanAt(rule, now);
      const recent = recentSpans(tally, rule, now);
      const known = recent.find(([other]) => other === span);
      const counted = [span, (known?.[1] ?? 0) + 1] as const;
      return [rule.windowSeconds, [...recent.filter((entry) => entry !== known), counted]];
    }),
  );
}

/** Without one hit of that time. A span that is no longer kept has forgotten it. */
export function takeFromSpans(tally: Tally, at: number): Tally {
  return changeSpans(tally, at, -1);
}

/** With one more hit of that time, however long ago it is. */
export function addToSpans(tally: Tally, at: number): Tally {
  return changeSpans(tally, at, 1);
}

function changeSpans(tally: Tally, at: number, change: number): Tally {
  return Object.fromEntries(
    Object.entries(tally).map(([seconds, spans]) => {
      const span = spanAt({ windowSeconds: Number(seconds) }, at);
      const [, hits] = spans.find(([other]) => other === span) ?? [span, 0];
      const others = spans.filter(([other]) => other !== span);
      return [seconds, hits + change > 0 ? [...others, [span, hits + change] as const] : others];
    }),
  );
}

/** Hits within the longest window, and the approximate time of the last hit. */
export function readTally(tally: Tally, now: number): { hits: number; lastAt: number | undefined } {
  const windows = Object.keys(tally).map((seconds) => ({ count: 0, windowSeconds: Number(seconds) }));
  const longest = windows.toSorted((a, b) => b.windowSeconds - a.windowSeconds)[0];
  const starts = windows.flatMap((rule) => recentSpans(tally, rule, now).map(([span]) => span * spanLength(rule)));
  const spans = longest === undefined ? [] : recentSpans(tally, longest, now);
  const lastAt = starts.length === 0 ? undefined : Math.max(...starts);
  return { hits: spans.reduce((sum, [, hits]) => sum + hits, 0), lastAt };
}

/** Oldest first. A span counts until its last possible hit has left the window. A span in the future (clock skew) counts as now. */
function recentSpans(tally: Tally, rule: LimitRule, now: number): [span: number, hits: number][] {
  const current = spanAt(rule, now);
  const spans = (tally[rule.windowSeconds] ?? []).map(([span, hits]): [number, number] => [
    Math.min(span, current),
    hits,
  ]);
  return spans.filter(([span]) => span >= current - spansPerWindow).sort(([a], [b]) => a - b);
}

function spanAt(rule: Pick<LimitRule, 'windowSeconds'>, now: number): number {
  return Math.floor(now / spanLength(rule));
}

function spanLength({ windowSeconds }: Pick<LimitRule, 'windowSeconds'>): number {
  return (windowSeconds * 1000) / spansPerWindow;
}
