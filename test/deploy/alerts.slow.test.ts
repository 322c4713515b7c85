// Each alert fires in its drill, in time, and none on a good day: the rules of deploy/ in the unit tests of promtool.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drills, goodDay, minutes } from '../helpers/services/alert-drills.ts';

const rulesFile = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url));
const series = (all: Readonly<Record<string, string | undefined>>) =>
  Object.entries(all).flatMap(([name, values]) => (values === undefined ? [] : [{ series: name, values }]));
const firing = (alert: string) => `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`;
const expect = (expr: string, minute: number, value: number) => {
  return { expr, eval_time: `${minute}m`, exp_samples: [{ labels: '{}', value }] };
};

describe('the alerts', () => {
  it('the alerts fire in their drills, and none fires on a good day', (context) => {
    if (spawnSync('promtool', ['--version']).status !== 0)
      return context.skip('promtool is not installed (Debian: prometheus), so no alert was tried');
    const quiet = {
      name: 'a good day',
      interval: '1m',
      input_series: series(goodDay),
      promql_expr_test: [5, 30, minutes].map((minute) =>
        expect('count(ALERTS{alertstate="firing"}) or vector(0)', minute, 0),
      ),
    };
    const broken = Object.entries(drills).map(([alert, drill]) => ({
      name: alert,
      interval: '1m',
      input_series: series({ ...goodDay, ...drill.broken }),
      promql_expr_test: [expect(firing(alert), drill.within, 1)],
    }));
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-alerts-'));
    try {
      // YAML contains JSON.
      const file = join(folder, 'tests.json');
      writeFileSync(
        file,
        JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: [quiet, ...broken] }),
      );
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      assert.equal(status, 0, `${stdout}${stderr}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
