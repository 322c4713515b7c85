// The dashboard and the alert rules query only metrics, labels and label values that the service reports; each alert has a runbook chapter.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runtimeNames } from '../../scripts/metrics-page.ts';
import { gauges } from '../../src/service/metrics/gauge-definitions.ts';
import { counters, histograms, storeHistograms } from '../../src/service/metrics/metric-definitions.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { drills } from '../helpers/services/alert-drills.ts';
import { scrape } from '../helpers/services/scrape.ts';
import { setStage } from '../helpers/services/stage.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Panel = { type: string; title: string; id: number; targets?: { expr: string }[]; gridPos: Record<string, number> };

const dashboard = JSON.parse(read('deploy/grafana/gatehouse.json')) as {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
};
const rules = read('deploy/prometheus/alerts.yml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const field = (name: string) => new RegExp(`^ +${name}: "?(.*?)"?$`, 'm').exec(text)?.[1] ?? '';
    return {
      alert: text.split('\n')[0] ?? '',
      expr: field('expr'),
      severity: field('severity'),
      summary: field('summary'),
      description: field('description'),
      runbook: field('runbook_url'),
    };
  });
const recorded = [...read('deploy/prometheus/alerts.yml').matchAll(/^ {6}- record: .*\n {8}expr: (.*)$/gm)];
const expressions = [
  ...recorded.map(([, expr = '']) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

type Labels = Readonly<Record<string, readonly string[] | string>>;

const metrics: Readonly<Record<string, { readonly labels: Labels }>> = {
  ...counters,
  ...histograms,
  ...storeHistograms,
  ...gauges,
};

describe('dashboard and alerts', () => {
  const stage = setStage('sqlite');

  it('the dashboard and the alerts query only metrics that a scrape reports', async () => {
    const port = await freePort();
    assert.ok(await stage.service.metrics.listen('127.0.0.1', port));
    const { kinds } = await scrape(port);
    const exported = new Set(
      [...kinds].flatMap(([name, kind]) =>
        kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    exported.add('up');
    const asked = new Set(expressions.flatMap((expr) => [...selectorsIn(expr)].map(({ name }) => name)));
    assert.deepEqual(
      [...asked].filter((name) => !exported.has(name)),
      [],
    );
    const variables = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    assert.deepEqual(variables, ['label_values(gatehouse_workers, instance)']);
    for (const name of runtimeNames) assert.ok(kinds.has(name) || name === 'process_open_fds', name);
    // Every metric of ours is on the dashboard or in an alert, except the one that only counts processes.
    const plain = [...asked].map((name) => name.replace(/^gatehouse_/, '').replace(/_(total|bucket|sum|count)$/, ''));
    assert.deepEqual(
      Object.keys(metrics).filter((name) => !plain.includes(name)),
      ['workers'],
    );
  });

  it('the dashboard and the alerts use only labels and label values that exist', () => {
    for (const expr of expressions) {
      for (const { name, matchers } of selectorsIn(expr)) {
        const plain = name.replace(/^gatehouse_/, '').replace(/_(total|bucket|sum|count)$/, '');
        const labels = metrics[plain]?.labels ?? {};
        for (const { label, operator, word } of matchers) {
          if (label === 'instance' || label === 'job') continue;
          const words = labels[label] ?? assert.fail(`${name} has no label ${label}`);
          if (typeof words === 'string') continue;
          const fits =
            operator === '=' ? words.includes(word) : words.some((one) => new RegExp(`^(${word})$`).test(one));
          assert.ok(fits, `${name}{${label}${operator}"${word}"}`);
        }
      }
      for (const [, list = ''] of expr.matchAll(/ by \(([^)]*)\)/g))
        for (const label of list.split(', ')) assert.match(label, /^(le|instance|kind)$|^[a-z]+$/);
      const depth = [...expr.replaceAll(/"[^"]*"/g, '')].reduce(
        (open, letter) => open + ('([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0),
        0,
      );
      assert.equal(depth, 0, expr);
    }
  });

  it('each alert has a runbook chapter, and each chapter an alert', () => {
    assert.ok(rules.length >= 15);
    const chapters = [...read('docs/monitoring.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    assert.deepEqual(
      rules.map(({ alert }) => alert),
      chapters,
    );
    for (const { alert, severity, summary, description, runbook } of rules) {
      assert.match(severity, /^(warning|critical)$/);
      assert.ok(summary !== '' && description !== '', alert);
      assert.equal(runbook, `docs/monitoring.md#${alert.toLowerCase()}`);
    }
  });

  it('each alert has a drill', () => {
    assert.deepEqual(
      rules.map(({ alert }) => alert),
      Object.keys(drills),
    );
  });

  it('dashboard panels fit side by side, each with its own id', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { title, type, targets = [], gridPos } of dashboard.panels) {
      assert.ok(title !== '' && (gridPos.x ?? 0) + (gridPos.w ?? 0) <= 24, title);
      assert.equal(targets.length === 0, type === 'row', title);
    }
  });

  it('the alert rules pass promtool, if it is installed', (context) => {
    if (spawnSync('promtool', ['--version']).status !== 0) return context.skip('promtool is not installed');
    const said = execFileSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'], {
      cwd: new URL('../../', import.meta.url),
    });
    assert.match(said.toString(), /SUCCESS/);
  });
});

/** `name{label="word"}` and bare names that are followed by a range, an operator or nothing. */
function* selectorsIn(expr: string) {
  for (const [, name = '', inside = ''] of expr.matchAll(
    /\b((?:gatehouse|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g,
  )) {
    const matchers = [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', word = '']) => ({ label, operator, word }),
    );
    yield { name, matchers };
  }
}
