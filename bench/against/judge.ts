// The judgement of a comparison: which workloads cost more than allowed, from the medians of repeated measurements.
import { median } from '../statistics.ts';

/** Microseconds of processor time for one call, one for each repetition. */
type Pair = { readonly base: readonly number[]; readonly now: readonly number[] };

export type Verdict = {
  readonly base: number;
  readonly now: number;
  /** 0.1 is a tenth more. */
  readonly change: number;
  /** Half of the distance between the cheapest and the dearest repetition, as a part of the median; the larger of the two sides. */
  readonly spread: number;
  readonly isOver: boolean;
};

/** A call may cost so much more. */
export const allowedIncrease = 0.1;

export function judge({ base, now }: Pair, allowed = allowedIncrease): Verdict {
  const [before, after] = [median(base), median(now)];
  const change = after / before - 1;
  return {
    base: before,
    now: after,
    change,
    spread: Math.max(relativeSpread(base), relativeSpread(now)),
    // What was not measured is not under the limit.
    isOver: !(after <= before * (1 + allowed)),
  };
}

/** Noise passes once by chance, a cause does not: only what is over the limit in both is. Without a second look the first counts. */
export function judgeTwice(first: Pair, second: Pair | undefined): Verdict {
  const verdict = judge(first);
  return second === undefined || !verdict.isOver ? verdict : judge(second);
}

function relativeSpread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values);
}

/** The order of one round, in which a drift of the machine costs both the same. */
export function order(round: number): readonly ('base' | 'now')[] {
  return round % 2 === 0 ? ['base', 'now', 'now', 'base'] : ['now', 'base', 'base', 'now'];
}
