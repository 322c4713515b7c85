// What a wrong code is charged to: the recipient's daily limit, the reserve of known devices, or that of clients that requested the code.
import { addHit, type Block, findBlock, type Hits, type LimitRule, longestWindow } from '../../abuse/limits.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';

/** Prefix of the ids of the counters per caller. */
export const failuresByCaller = 'failures-ip';

/**
 * Per recipient: one reserve for all askers, and one for all known devices. With the default of 15 failures a day, strangers, askers
 * and devices together get at most 25 guesses at a million codes.
 */
export const reserveRule: LimitRule = { count: 5, windowSeconds: 86_400 };

/** An attacker must request three codes for a victim's number to use up the reserve. */
const reservePerAsker = 2;

/** Uses of the reserve, oldest first. */
export type ReserveHits = readonly (readonly [at: number, asker: string])[];

/** `devices`: uses of the reserve of known devices. */
export type Budget = { readonly failures: Hits; readonly reserve: ReserveHits; readonly devices: Hits };

/** Who tries a code: whether they asked for it, and on which known device. Strangers have neither. */
export type Guesser = { readonly asker?: string | undefined; readonly device?: string | undefined };

type BudgetPolicy = { readonly failuresPerRecipient: readonly LimitRule[] };

/** The counters of the wrong codes for a recipient. */
export function budgetIds(recipient: string) {
  return budgetIdsOf(budgetOf(recipient));
}

/** What an attempt says of its recipient's counters: each of them has its name before this hash. */
export function budgetOf(recipient: string): string {
  return sha256(recipient);
}

export function budgetIdsOf(budget: string) {
  return {
    failuresId: `failures:${budget}`,
    reserveId: `reserve:${budget}`,
    deviceReserveId: `reserve-device:${budget}`,
  };
}

export function hitsOfReserve(value: unknown): Hits {
  return ((value ?? []) as ReserveHits).map(([at]) => at);
}

/** day: shared by all. device reserve: known devices only. reserve: askers only. none: no budget allows this attempt. */
export type AttemptCharge =
  | { readonly name: 'day' | 'device reserve' | 'reserve' }
  | { readonly name: 'none'; readonly block: Block };

/** Charges the daily limit first. Once it is used up, a known device may use the reserve of devices, and an asker that of askers. */
export function chooseCharge(
  { failures, reserve, devices }: Budget,
  { failuresPerRecipient }: BudgetPolicy,
  { asker, device }: Guesser,
  now: number,
): AttemptCharge {
  const block = findBlock(failures, failuresPerRecipient, now);
  if (block === undefined) return { name: 'day' };
  const waits = [block.retryAfterSeconds];
  if (device !== undefined) {
    const deviceBlock = findBlock(devices, [reserveRule], now);
    if (deviceBlock === undefined) return { name: 'device reserve' };
    waits.push(deviceBlock.retryAfterSeconds);
  }
  if (asker !== undefined) {
    const recent = recentOf(reserve, now);
    const ownUses = recent.filter(([, other]) => other === asker).length;
    if (recent.length < reserveRule.count && ownUses < reservePerAsker) return { name: 'reserve' };
    waits.push(findBlock(hitsOfReserve(recent), [reserveRule], now)?.retryAfterSeconds ?? block.retryAfterSeconds);
  }
  return { name: 'none', block: { ...block, retryAfterSeconds: Math.min(...waits) } };
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

export function useDeviceReserve(devices: Hits, now: number) {
  return { value: addHit(devices, [reserveRule], now), endsAt: now + reserveRule.windowSeconds * 1000 };
}

function recentOf(reserve: ReserveHits, now: number): ReserveHits {
  return reserve.filter(([at]) => at > now - reserveRule.windowSeconds * 1000);
}
