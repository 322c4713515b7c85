// Rate limits of a whole network, counted in time slots to keep rows small. The error is at most one slot, always stricter.
import type { Block, LimitRule } from './limits.ts';

/** Hits per slot, by the length of the window in seconds. */
export type Tally = Readonly<Record<string, readonly (readonly [slot: number, hits: number])[]>>;

const slotsPerWindow = 12;

/** The rule that refuses another hit for the longest time; undefined if all rules allow it. */
export function findTallyBlock(tally: Tally, rules: readonly LimitRule[], now: number): Block | undefined {
  let block: Block | undefined;
  for (const rule of rules) {
    const recent = recentSlots(tally, rule, now);
    let left = recent.reduce((sum, [, hits]) => sum + hits, 0);
    if (left < rule.count) continue;
    const freeing = recent.find(([, hits]) => {
      left -= hits;
      return left < rule.count;
    });
    if (freeing === undefined) continue;
    const endsAt = (freeing[0] + slotsPerWindow + 1) * slotLength(rule);
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
    if (block === undefined || retryAfterSeconds > block.retryAfterSeconds) block = { rule, retryAfterSeconds };
  }
  return block;
}

export function addToTally(tally: Tally, rules: readonly LimitRule[], now: number): Tally {
  return Object.fromEntries(
    rules.map((rule) => {
      const slot = slotAt(rule, now);
      const recent = recentSlots(tally, rule, now);
      const known = recent.find(([other]) => other === slot);
      const counted = [slot, (known?.[1] ?? 0) + 1] as const;
      return [rule.windowSeconds, [...recent.filter((entry) => entry !== known), counted]];
    }),
  );
}

/** Without one hit of that time. A slot that is no longer kept has forgotten it. */
export function takeFromSlots(tally: Tally, at: number): Tally {
  return changeSlots(tally, at, -1);
}

/** With one more hit of that time, however long ago it is. */
export function addToSlots(tally: Tally, at: number): Tally {
  return changeSlots(tally, at, 1);
}

function changeSlots(tally: Tally, at: number, change: number): Tally {
  return Object.fromEntries(
    Object.entries(tally).map(([seconds, slots]) => {
      const slot = slotAt({ windowSeconds: Number(seconds) }, at);
      const [, hits] = slots.find(([other]) => other === slot) ?? [slot, 0];
      const others = slots.filter(([other]) => other !== slot);
      return [seconds, hits + change > 0 ? [...others, [slot, hits + change] as const] : others];
    }),
  );
}

/** Hits within the longest window, and the approximate time of the last hit. */
export function readTally(tally: Tally, now: number): { hits: number; lastAt: number | undefined } {
  const windows = Object.keys(tally).map((seconds) => ({ count: 0, windowSeconds: Number(seconds) }));
  const longest = windows.toSorted((a, b) => b.windowSeconds - a.windowSeconds)[0];
  const starts = windows.flatMap((rule) => recentSlots(tally, rule, now).map(([slot]) => slot * slotLength(rule)));
  const slots = longest === undefined ? [] : recentSlots(tally, longest, now);
  const lastAt = starts.length === 0 ? undefined : Math.max(...starts);
  return { hits: slots.reduce((sum, [, hits]) => sum + hits, 0), lastAt };
}

/** Oldest first. A slot counts until its last possible hit has left the window. A slot in the future (clock skew) counts as now. */
function recentSlots(tally: Tally, rule: LimitRule, now: number): [slot: number, hits: number][] {
  const current = slotAt(rule, now);
  const slots = (tally[rule.windowSeconds] ?? []).map(([slot, hits]): [number, number] => [
    Math.min(slot, current),
    hits,
  ]);
  return slots.filter(([slot]) => slot >= current - slotsPerWindow).sort(([a], [b]) => a - b);
}

function slotAt(rule: Pick<LimitRule, 'windowSeconds'>, now: number): number {
  return Math.floor(now / slotLength(rule));
}

function slotLength({ windowSeconds }: Pick<LimitRule, 'windowSeconds'>): number {
  return (windowSeconds * 1000) / slotsPerWindow;
}
