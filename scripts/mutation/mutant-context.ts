// What the mutated sources read and write: which mutant is active, and which ones they meet.
import type { InstrumenterContext } from '@stryker-mutator/api/core';
import { determineHitLimitReached, type MutantRunResult, MutantRunStatus } from '@stryker-mutator/api/test-runner';

const none = 'none';

export const context: { [name in keyof InstrumenterContext]: InstrumenterContext[name] | undefined } = {
  activeMutant: none,
};

/** Stryker allows a hundred times the hits of all tests. That takes minutes where tests read each byte of large files. */
const shareOfLimit = 0.1;
const fewHits = 100_000;

/** A mutant that is met more often than `hitLimit` makes an endless loop. */
export function activate(mutant: string, hitLimit: number | undefined): void {
  context.hitCount = hitLimit === undefined ? undefined : 0;
  context.hitLimit = hitLimit && Math.max(hitLimit * shareOfLimit, Math.min(hitLimit, fewHits));
  context.activeMutant = mutant;
}

export function deactivate(): void {
  context.activeMutant = none;
}

export function findEndlessLoop(): MutantRunResult | undefined {
  const reached = determineHitLimitReached(context.hitCount, context.hitLimit);
  return reached && { status: MutantRunStatus.Timeout, reason: reached.reason ?? '' };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
