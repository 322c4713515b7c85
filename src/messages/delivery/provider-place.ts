// One provider of a channel as the channel knows it: its breakers, its window and rate, and the sends that are under way.
import { type Breaker, closedBreaker, isLeftOut, mostFailures } from './breaker.ts';
import { firstWindow, largestWindow, patienceOf, type SendWindow } from './send-window.ts';
import type { Sender } from './sender.ts';

export type ProviderState = 'closed' | 'open' | 'paused';

export type Send = { readonly at: number };

export type Place = {
  readonly sender: Sender;
  readonly most: number;
  breaker: Breaker;
  readonly countries: Map<string, Breaker>;
  window: SendWindow;
  /** Under way, oldest first. */
  readonly sends: Set<Send>;
  /** Under way since before the provider was left out: they take no room from those that come after. */
  readonly lost: Set<Send>;
  takenUntil: number;
  /** When its window was last nearly full, so that a larger one would have been used. */
  fullAt: number;
  succeededAt: number;
  reported: ProviderState;
};

export function createPlace(sender: Sender): Place {
  return {
    sender,
    most: Math.min(largestWindow, sender.mostAtOnce ?? largestWindow),
    breaker: closedBreaker,
    countries: new Map(),
    window: firstWindow,
    sends: new Set(),
    lost: new Set(),
    takenUntil: 0,
    fullAt: 0,
    succeededAt: 0,
    reported: 'closed',
  };
}

export function stateOf(breaker: Breaker, now: number): ProviderState {
  if (breaker.kind === 'open') return 'open';
  return isLeftOut(breaker, now) ? 'paused' : 'closed';
}

/** Sends that take too long, three at the most. None while others succeed. */
export function countOverdue(
  { window, sends, succeededAt }: Place,
  now: number,
  { usual, last }: { readonly usual: number; readonly last: number },
): number {
  const patience = patienceOf(window, usual, last);
  if (now - succeededAt < patience) return 0;
  let count = 0;
  for (const { at } of sends) {
    if (now - at < patience || count === mostFailures) break;
    count += 1;
  }
  return count;
}
