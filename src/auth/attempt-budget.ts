// What a wrong code uses up: the recipient's count of the day, or a reserve that only those who asked for the code can touch.
import { addHit, type Block, findBlock, type Hits, type LimitRule, longestWindow } from '../abuse/limits.ts';
import { sha256 } from '../kernel/digest.ts';

/** What the counters of callers are called. */
export const failuresByCaller = 'failures-ip';

/** For one recipient, shared by all who asked. With the default of 15 a day it makes 20 guesses a day at most, by anybody. */
export const reserveRule: LimitRule = { count: 5, windowSeconds: 86_400 };

/** Of the reserve, so that whoever asks for a code to a stranger's number must do so three times to use it up. */
const reservePerAsker = 2;

/** Who used the reserve when, oldest first. */
export type ReserveHits = readonly (readonly [at: number, asker: string])[];

export type Budget = { readonly failures: Hits; readonly reserve: ReserveHits };

export type BudgetPolicy = { readonly failuresPerRecipient: readonly LimitRule[] };

export function reserveId(recipient: string): string {
  return `reserve:${sha256(recipient)}`;
}

export function hitsOfReserve(value: unknown): Hits {
  return ((value ?? []) as ReserveHits).map(([at]) => at);
}

/** day: strangers and askers share it. A block: neither has room for this attempt. */
export type Purse = { readonly name: 'day' | 'reserve' } | { readonly name: 'none'; readonly block: Block };

/** The day's count first; the reserve is for those who asked, once others have used the day up. */
export function choosePurse(
  { failures, reserve }: Budget,
  { failuresPerRecipient }: BudgetPolicy,
  asker: string | undefined,
  now: number,
): Purse {
  const block = findBlock(failures, failuresPerRecipient, now);
  if (block === undefined) return { name: 'day' };
  if (asker === undefined) return { name: 'none', block };
  const recent = recentOf(reserve, now);
  const isMine = recent.filter(([, other]) => other === asker).length;
  if (recent.length < reserveRule.count && isMine < reservePerAsker) return { name: 'reserve' };
  const wait = findBlock(hitsOfReserve(recent), [reserveRule], now)?.retryAfterSeconds ?? block.retryAfterSeconds;
  return { name: 'none', block: { ...block, retryAfterSeconds: Math.min(wait, block.retryAfterSeconds) } };
}

export function addFailure(failures: Hits, { failuresPerRecipient }: BudgetPolicy, now: number) {
  return {
    value: addHit(failures, failuresPerRecipient, now),
    endsAt: now + longestWindow(failuresPerRecipient) * 1000,
  };
}

export function useReserve(reserve: ReserveHits, asker: string, now: number) {
  const value: ReserveHits = [...recentOf(reserve, now), [now, asker]];
  return { value, endsAt: now + reserveRule.windowSeconds * 1000 };
}

function recentOf(reserve: ReserveHits, now: number): ReserveHits {
  return reserve.filter(([at]) => at > now - reserveRule.windowSeconds * 1000);
}
