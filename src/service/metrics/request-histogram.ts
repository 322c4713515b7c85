// The durations of requests by method, route and status. Every request adds to it, so it finds a series without making a key.

/** The data of a histogram: cumulative counts by upper bound. */
export type Distribution = { readonly counts: readonly number[]; readonly sum: number; readonly count: number };

type Series = { readonly counts: number[]; sum: number; count: number };

type RequestHistogram = {
  add(method: string, route: string, status: number, seconds: number): void;
  read(): readonly { readonly labels: Readonly<Record<string, string>>; readonly data: Distribution }[];
};

/** `bounds` are the upper bounds of the buckets, the smallest first. */
export function createRequestHistogram(bounds: readonly number[]): RequestHistogram {
  const routes = new Map<string, Map<string, Map<number, Series>>>();
  const make = (method: string, route: string, status: number): Series => {
    const methods = routes.get(route) ?? new Map<string, Map<number, Series>>();
    const statuses = methods.get(method) ?? new Map<number, Series>();
    const series = { counts: bounds.map(() => 0), sum: 0, count: 0 };
    routes.set(route, methods.set(method, statuses.set(status, series)));
    return series;
  };
  return {
    add: (method, route, status, seconds) => {
      const series = routes.get(route)?.get(method)?.get(status) ?? make(method, route, status);
      // Counts are cumulative: a duration is in every bucket up to the last one.
      for (let at = bounds.length - 1; at >= 0 && seconds <= (bounds[at] ?? 0); at -= 1)
        series.counts[at] = (series.counts[at] ?? 0) + 1;
      series.sum += seconds;
      series.count += 1;
    },
    read: () =>
      [...routes].flatMap(([route, methods]) =>
        [...methods].flatMap(([method, statuses]) =>
          [...statuses].map(([status, data]) => ({ labels: { method, route, status: String(status) }, data })),
        ),
      ),
  };
}
