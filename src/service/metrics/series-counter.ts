// A counter by the values of its labels. Nearly every request adds to one, so it checks nothing that the compiler has checked.

type Labels = Readonly<Record<string, string>>;

type SeriesCounter = {
  add(labels: Labels, by: number): void;
  read(): readonly { readonly labels: Labels; readonly value: number }[];
};

export function createSeriesCounter(names: readonly string[]): SeriesCounter {
  const series = new Map<string, { readonly labels: Labels; value: number }>();
  const [only] = names.length === 1 ? names : [];
  const keyOf = (labels: Labels) =>
    only === undefined ? names.map((name) => labels[name]).join('\n') : (labels[only] ?? '');
  return {
    add: (labels, by) => {
      const key = keyOf(labels);
      const known = series.get(key);
      if (known === undefined) series.set(key, { labels: { ...labels }, value: by });
      else known.value += by;
    },
    read: () => [...series.values()].map(({ labels, value }) => ({ labels, value })),
  };
}
