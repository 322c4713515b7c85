// Compares two sets of times: area under the curve, medians, and a bootstrap interval.

/** The probability that a time of b is larger than one of a. It is 0.5 if they do not differ (Mann–Whitney). */
export function areaUnderCurve(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isB: false })), ...b.map((value) => ({ value, isB: true }))].sort(
    (x, y) => x.value - y.value,
  );
  let rankSum = 0;
  for (let start = 0; start < all.length; ) {
    let end = start;
    while (end < all.length && all[end]?.value === all[start]?.value) end += 1;
    const rank = (start + 1 + end) / 2;
    for (let index = start; index < end; index++) if (all[index]?.isB === true) rankSum += rank;
    start = end;
  }
  return (rankSum - (b.length * (b.length + 1)) / 2) / (a.length * b.length);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** How far the middle half of the values reaches. */
export function spread(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  const middle = Math.floor(sorted.length / 2);
  return median(sorted.slice(-middle)) - median(sorted.slice(0, middle));
}

export type Comparison = {
  readonly name: string;
  readonly count: number;
  readonly auc: number;
  readonly medianDifference: number;
};

export function compare(name: string, a: readonly number[], b: readonly number[]): Comparison {
  return {
    name,
    count: Math.min(a.length, b.length),
    auc: areaUnderCurve(a, b),
    medianDifference: median(b) - median(a),
  };
}

/** Every second one, to compare a class with itself. */
export function halves(values: readonly number[]): [number[], number[]] {
  return [values.filter((_, index) => index % 2 === 0), values.filter((_, index) => index % 2 === 1)];
}
