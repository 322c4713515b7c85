// The deployment files, checked without running them: compose, Kubernetes, systemd and HAProxy name things that exist.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseYaml } from '@redocly/openapi-core';
import { readConfig } from '../../src/config/config.ts';
import { settings } from '../../src/config/settings.ts';
import { parseDuration } from '../../src/config/units.ts';
import { localCertificate } from '../helpers/blobs/s3-server-tls.ts';
import { root } from '../helpers/services/dockerfile.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests are of many shapes
type Manifest = any;

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-deploy-'));
after(() => rmSync(folder, { recursive: true }));

const read = (name: string) => readFileSync(`${root}deploy/${name}`, 'utf8');
const yaml = (name: string): Manifest => parseYaml(read(name));
const port = Number(settings.PORT.default);
const metricsPort = Number(settings.METRICS_PORT.default);
/** STOP_WAIT, and the ten seconds after it in which the process ends. */
const longestStopSeconds = (parseDuration(settings.STOP_WAIT.default) ?? assert.fail()) + 10;
const secret = 'nineteen violet lanterns over the moor, 47';

/** Runs a tool if it is installed, else prints that it is not. */
function ask(command: string, args: string[], env: Record<string, string> = {}): string | undefined {
  const path = `${process.env.PATH}:/usr/sbin`;
  const { error, status, stdout, stderr } = spawnSync(command, args, { env: { ...process.env, ...env, PATH: path } });
  if (
    error !== undefined ||
    /is not a docker command|unknown (shorthand )?flag|unrecognized option|Additional property content/.test(
      String(stderr),
    )
  ) {
    console.log(`skipped: ${command} is not installed, so it checks no manifest`);
    return undefined;
  }
  assert.equal(status, 0, String(stderr));
  return `${stdout}${stderr}`;
}

/** Every name is a setting, and the service would start with these values. */
function judgeSettings(env: Record<string, string>): void {
  assert.deepEqual(
    Object.keys(env).filter((name) => !(name in settings)),
    [],
  );
  const result = readConfig({ SECRET: secret, ...env });
  assert.deepEqual('problems' in result ? result.problems : [], []);
  assert.ok('config' in result && result.config.mode === 'production');
}

describe('the compose file', () => {
  const { services } = yaml('compose.yaml');
  const example = Object.fromEntries(
    read('compose.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

  it('the compose file uses only known settings and only the variables of its example', () => {
    const own = { ...example };
    const filled = (text: string) =>
      text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name) => (name in own ? 'given' : '?'));
    const given = Object.entries<string>(services.gatehouse.environment).map(([name, text]) => [name, filled(text)]);
    assert.ok(!JSON.stringify(given).includes('?@'), 'a variable is not in the example');
    const { POSTGRES_PASSWORD, S3_SECRET, ...rest } = example;
    assert.deepEqual([POSTGRES_PASSWORD, S3_SECRET, rest.SECRET], ['', '', '']);
    judgeSettings({ ...rest, ...Object.fromEntries(given), SECRET: secret });
  });

  it('the compose file waits as long as a stop may take', () => {
    assert.ok(Number.parseInt(services.gatehouse.stop_grace_period, 10) > longestStopSeconds);
  });

  it('the compose file runs the service unprivileged on a read-only root', () => {
    const { gatehouse } = services;
    assert.equal(gatehouse.read_only, true);
    assert.match(gatehouse.user, /^[1-9]\d*:[1-9]\d*$/);
    assert.deepEqual(gatehouse.cap_drop, ['ALL']);
    assert.deepEqual(gatehouse.ports, [`127.0.0.1:${port}:${port}`, `127.0.0.1:${metricsPort}:${metricsPort}`]);
    for (const name of Object.keys(gatehouse.depends_on)) assert.ok(name in services, name);
  });

  it('docker compose accepts the compose file', () => {
    const env = { ...example, POSTGRES_PASSWORD: 'a', S3_SECRET: 'b', SECRET: secret };
    const path = join(folder, 'compose.yaml');
    writeFileSync(path, read('compose.yaml'));
    writeFileSync(
      join(folder, '.env'),
      Object.entries(env)
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
    );
    ask('docker', ['compose', '-f', path, 'config', '--quiet']);
  });
});

describe('the Kubernetes manifests', () => {
  const { resources } = yaml('kubernetes/kustomization.yaml');
  const byKind = new Map<string, Manifest>(
    [...resources, 'secret.example.yaml'].map((name: string) => {
      const manifest = yaml(`kubernetes/${name}`);
      return [manifest.kind, manifest];
    }),
  );
  const { template, selector, replicas } = byKind.get('Deployment').spec;
  const [container] = template.spec.containers;

  it('the kustomization names every Kubernetes manifest except the Secret template', () => {
    const others = ['kustomization.yaml', 'secret.example.yaml'];
    const files = readdirSync(`${root}deploy/kubernetes`).filter((name) => !others.includes(name));
    assert.deepEqual(files.toSorted(), resources.toSorted());
    ask('kubectl', ['kustomize', `${root}deploy/kubernetes`]);
  });

  it('the Kubernetes manifests use only known settings, from an existing ConfigMap and Secret', () => {
    judgeSettings({ ...byKind.get('ConfigMap').data, ...byKind.get('Secret').stringData, SECRET: secret });
    const sources = container.envFrom.map((from: Manifest) => from.configMapRef?.name ?? from.secretRef?.name);
    assert.deepEqual(sources, [byKind.get('ConfigMap').metadata.name, byKind.get('Secret').metadata.name]);
    assert.equal(byKind.get('Secret').stringData.SECRET, '');
  });

  it('the Kubernetes probes, ports and rules match the service', () => {
    assert.deepEqual(
      container.ports.map((one: Manifest) => [one.name, one.containerPort]),
      [
        ['http', port],
        ['metrics', metricsPort],
      ],
    );
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container[name].httpGet.path);
    assert.deepEqual(paths, ['/livez', '/livez', '/readyz']);
    for (const one of byKind.get('Service').spec.ports) assert.ok(['http', 'metrics'].includes(one.targetPort));
    const [rule] = byKind.get('Ingress').spec.rules;
    assert.equal(`https://${rule.host}`, byKind.get('ConfigMap').data.PUBLIC_URL);
    assert.equal(rule.http.paths[0].backend.service.name, byKind.get('Service').metadata.name);
  });

  it('the Kubernetes network rules allow the connections of every kind of provider, also to clamd', () => {
    const ports = byKind.get('NetworkPolicy').spec.egress.flatMap((rule: Manifest) => rule.ports);
    const numbers = ports.map((one: Manifest) => one.port);
    for (const needed of [5432, 443, 465, 587, 3310]) assert.ok(numbers.includes(needed), `port ${needed}`);
  });

  it('compose and Kubernetes give a node the same memory, with room for the process that makes variants', () => {
    const { services } = yaml('compose.yaml');
    assert.equal(container.resources.limits.memory, '1280Mi');
    assert.equal(services.gatehouse.mem_limit, '1280m');
  });

  it('the Kubernetes manifests run the service unprivileged on a read-only root and lose one node at a time', () => {
    const { securityContext } = template.spec;
    assert.equal(securityContext.runAsNonRoot, true);
    assert.ok(securityContext.runAsUser > 0);
    const own = container.securityContext;
    assert.deepEqual(
      [own.allowPrivilegeEscalation, own.readOnlyRootFilesystem, own.capabilities.drop],
      [false, true, ['ALL']],
    );
    assert.equal(template.spec.automountServiceAccountToken, false);
    // Otherwise Kubernetes would add variables such as GATEHOUSE_PORT.
    assert.equal(template.spec.enableServiceLinks, false);
    const labels = template.metadata.labels;
    const selectors = [
      selector.matchLabels,
      byKind.get('Service').spec.selector,
      byKind.get('PodDisruptionBudget').spec.selector.matchLabels,
      byKind.get('NetworkPolicy').spec.podSelector.matchLabels,
    ];
    for (const chosen of selectors) assert.deepEqual(chosen, labels);
    assert.ok(replicas > byKind.get('PodDisruptionBudget').spec.maxUnavailable);
    const stopSeconds = container.lifecycle.preStop.sleep.seconds + longestStopSeconds;
    assert.ok(template.spec.terminationGracePeriodSeconds > stopSeconds);
  });
});

describe('the systemd unit', () => {
  const unit = read('gatehouse.service');

  it('the systemd unit starts the build as npm start does, and does not restart it after wrong settings', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    const plain = command.replaceAll('/opt/gatehouse/', '').replace('node_modules/.bin/', '');
    const [setting] = /(?<=^Environment=)MALLOC_ARENA_MAX=\d+$/m.exec(unit) ?? [];
    assert.equal(`${setting} exec ${plain}`, `${scripts.start.replace('src/', 'dist/')} serve`);
    assert.match(unit, /^RestartPreventExitStatus=78$/m);
    assert.match(unit, /^User=gatehouse$/m);
    const [, seconds] = /^TimeoutStopSec=(\d+)s$/m.exec(unit) ?? [];
    assert.ok(Number(seconds) > longestStopSeconds);
    // Otherwise systemd ends the whole service when the kernel ends the process that makes variants.
    assert.match(unit, /^OOMPolicy=continue$/m);
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
    assert.deepEqual(
      names.filter((name) => !(name in settings)),
      ['NODE_ENV', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX'],
    );
  });

  it('systemd accepts the unit and reports a low exposure', () => {
    const path = join(folder, 'gatehouse.service');
    writeFileSync(
      path,
      unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true').replace(/^(User|Group)=.*$/gm, '$1=root'),
    );
    const said = ask('systemd-analyze', ['verify', path]);
    assert.doesNotMatch(said ?? '', /gatehouse\.service/);
    const judged = ask('systemd-analyze', [
      'security',
      '--offline=yes',
      '--threshold=20',
      `${root}deploy/gatehouse.service`,
    ]);
    if (judged !== undefined) assert.match(judged, /Overall exposure level/);
  });
});

describe('the HAProxy example', () => {
  it('HAProxy accepts the example with another certificate', () => {
    const certificate = join(folder, 'id.pem');
    writeFileSync(certificate, `${localCertificate.cert}\n${localCertificate.key}\n`);
    const path = join(folder, 'haproxy.cfg');
    writeFileSync(path, read('haproxy.cfg').replace('/etc/haproxy/id.example.com.pem', certificate));
    ask('haproxy', ['-c', '-q', '-f', path]);
  });
});
