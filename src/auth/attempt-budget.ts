// What a wrong code is charged to: the recipient's daily limit, or a reserve for clients that requested the code.
import { addHit, type Block, findBlock, type Hits, type LimitRule, longestWindow } from '../abuse/limits.ts';
import { sha256 } from '../kernel/digest.ts';

/** Prefix of the ids of the counters per caller. */
export const failuresByCaller = 'failures-ip';

/** Per recipient, shared by all askers. With the default of 15 failures a day, all callers together get at most 20 guesses. */
export const reserveRule: LimitRule = { count: 5, windowSeconds: 86_400 };

/** An attacker must request three codes for a victim's number to use up the reserve. */
const reservePerAsker = 2;

/** Uses of the reserve, oldest first. */
export type ReserveHits = readonly (readonly [at: number, asker: string])[];

export type Budget = { readonly failures: Hits; readonly reserve: ReserveHits };

export type BudgetPolicy = { readonly failuresPerRecipient: readonly LimitRule[] };

export function reserveId(recipient: string): string {
  return `reserve:${sha256(recipient)}`;
}

export function hitsOfReserve(value: unknown): Hits {
  return ((value ?? []) as ReserveHits).map(([at]) => at);
}

/** day: shared by strangers and askers. reserve: askers only. none: neither allows this attempt. */
export type Purse = { readonly name: 'day' | 'reserve' } | { readonly name: 'none'; readonly block: Block };

/** Charges the daily limit first. An asker may use the reserve once the daily limit is used up. */
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
  const ownUses = recent.filter(([, other]) => other === asker).length;
  if (recent.length < reserveRule.count && ownUses < reservePerAsker) return { name: 'reserve' };
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
