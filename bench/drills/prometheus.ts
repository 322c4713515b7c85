// A real Prometheus with the alert rules of deploy/, asked twice a second which alerts are pending and which fire.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helpers/databases/postgres-server.ts';
import { waitUntil } from '../../test/helpers/wait-until.ts';

/** When an alert was first pending, first firing, and last seen. */
export type AlertSeen = { readonly name: string; pendingAt: number; firingAt: number | undefined; lastAt: number };

export type AlertRule = { readonly name: string; readonly isCritical: boolean; readonly forSeconds: number };

type Prometheus = {
  readonly alerts: ReadonlyMap<string, AlertSeen>;
  readonly rules: readonly AlertRule[];
  stop(): Promise<void>;
};

export const hasPrometheus = () => spawnSync('prometheus', ['--version']).status === 0;

/** A drill is short, so it looks more often than the 15 s of most installations. A node whose database hangs takes 5 s to answer. */
const interval = '6s';

export async function startPrometheus(folder: string, metricsPorts: readonly number[]): Promise<Prometheus> {
  const port = await freePort();
  const ruleFile = new URL('../../deploy/prometheus/alerts.yml', import.meta.url).pathname;
  const targets = metricsPorts.map((each) => `127.0.0.1:${each}`);
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: '1s' },
    rule_files: [ruleFile],
    scrape_configs: [{ job_name: 'gatehouse', static_configs: [{ targets }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil('Prometheus starts', () => {
    if (child.exitCode !== null) throw new Error('Prometheus does not start');
    return isReady();
  });
  // Before the first scrape of a node its absence is no fault.
  const query = `${url}/api/v1/query?query=${encodeURIComponent('sum(up{job="gatehouse"})')}`;
  await waitUntil('Prometheus has read all nodes', async () => {
    const { data } = (await (await fetch(query)).json()) as { data: { result: { value: [number, string] }[] } };
    return data.result[0]?.value[1] === String(metricsPorts.length);
  });
  const rules = await readRules(url);
  const alerts = new Map<string, AlertSeen>();
  const stopping = new AbortController();
  const watching = watch(url, alerts, stopping.signal);
  watching.catch(() => undefined);
  return {
    alerts,
    rules,
    stop: async () => {
      stopping.abort();
      await watching;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

type ListedRule = {
  readonly type: string;
  readonly name: string;
  readonly duration: number;
  readonly labels: Readonly<Record<string, string>>;
};

async function readRules(url: string): Promise<AlertRule[]> {
  const { data } = (await (await fetch(`${url}/api/v1/rules?type=alert`)).json()) as {
    data: { groups: { rules: ListedRule[] }[] };
  };
  return data.groups
    .flatMap(({ rules }) => rules)
    .map(({ name, duration, labels }) => ({ name, forSeconds: duration, isCritical: labels.severity === 'critical' }));
}

type Listed = { readonly state: string; readonly labels: { readonly alertname: string } };

async function watch(url: string, alerts: Map<string, AlertSeen>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const body = await fetch(`${url}/api/v1/alerts`).then(
      (answer) => answer.json() as Promise<{ data: { alerts: Listed[] } }>,
    );
    for (const { state, labels } of body.data.alerts) {
      const now = performance.now();
      const seen = alerts.get(labels.alertname) ?? {
        name: labels.alertname,
        pendingAt: now,
        firingAt: undefined,
        lastAt: now,
      };
      seen.lastAt = now;
      if (state === 'firing') seen.firingAt ??= now;
      alerts.set(labels.alertname, seen);
    }
    await sleep(500, undefined, { signal }).catch(() => undefined);
  }
}
