// Draws values over steps (users, connections, processes) as a small SVG that is readable in light and dark.

type Plot = {
  readonly title: string;
  readonly unit: string;
  /** The label below each step. */
  readonly steps: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
};

const width = 660;
const height = 320;
const frame = { left: 64, right: 188, top: 40, bottom: 36 };
const colours = ['#2563eb', '#c2410c', '#15803d', '#9333ea', '#b91c1c', '#0e7490'];

export function drawPlot({ title, unit, steps, series }: Plot): string {
  const most = niceTop(Math.max(...series.flatMap(({ values }) => values)));
  const x = (step: number) => frame.left + (step * (width - frame.left - frame.right)) / Math.max(1, steps.length - 1);
  const y = (value: number) => height - frame.bottom - (value / most) * (height - frame.top - frame.bottom);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * most).toFixed(1);
    return `<path class="grid" d="M${frame.left} ${at}H${width - frame.right}"/><text x="${frame.left - 8}" y="${at}" dy=".32em" text-anchor="end">${round(part * most)}</text>`;
  });
  const below = steps.map(
    (step, index) =>
      `<text x="${x(index).toFixed(1)}" y="${height - frame.bottom + 20}" text-anchor="middle">${step}</text>`,
  );
  const places = spreadOut(series.map(({ values }) => y(values.at(-1) ?? 0)));
  const lines = series.map(({ name, values }, index) => {
    const colour = colours[index % colours.length];
    const points = values.map((value, step) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`);
    const dots = points.map((point) => `<circle cx="${point.replace(',', '" cy="')}" r="3" fill="${colour}"/>`);
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}<text x="${width - frame.right + 10}" y="${(places[index] ?? 0).toFixed(1)}" dy=".32em" fill="${colour}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>text{font:12px system-ui,sans-serif}text:not([fill]){fill:#4b5563}.grid{stroke:#9ca3af;stroke-opacity:.35}.title{font-size:14px;font-weight:600}@media(prefers-color-scheme:dark){text:not([fill]){fill:#d1d5db}}</style>
<text class="title" x="12" y="20">${title}, ${unit}</text>
${[...grid, ...below, ...lines].join('\n')}
</svg>
`;
}

/** The next of 1, 2, 5, 10 … above the value. */
function niceTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((step) => step >= value) ?? value;
}

function round(value: number): string {
  return value >= 10_000 ? `${value / 1000}k` : String(Number(value.toPrecision(3)));
}

/** Moves labels at the ends of close lines apart. */
function spreadOut(heights: readonly number[]): number[] {
  const order = heights.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  let last = Number.NEGATIVE_INFINITY;
  const places = [...heights];
  for (const { at, index } of order) {
    last = Math.max(at, last + 15);
    places[index] = last;
  }
  return places;
}
