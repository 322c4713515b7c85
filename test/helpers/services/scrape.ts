// Reads the metrics of a service as Prometheus would.
import assert from 'node:assert/strict';

type Series = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type Scrape = {
  readonly text: string;
  readonly series: readonly Series[];
  /** Name and kind, as the service declares them. */
  readonly kinds: ReadonlyMap<string, string>;
  /** The sum of all series that have these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
};

export async function scrape(port: string | number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(String(response.headers.get('content-type')), /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '');
  const series = lines.filter((line) => !line.startsWith('#')).map(parseSeries);
  const kinds = new Map(
    lines.flatMap((line) => {
      const [, name = '', kind = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, kind] as const];
    }),
  );
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    series
      .filter((one) => one.name === name && Object.entries(labels).every(([label, word]) => one.labels[label] === word))
      .reduce((total, { value }) => total + value, 0);
  return { text, series, kinds, sum };
}

function parseSeries(line: string): Series {
  const [, name = '', labels = '', value = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? assert.fail(line);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', word = '']) => [label, word]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('+Inf', 'Infinity')) };
}
