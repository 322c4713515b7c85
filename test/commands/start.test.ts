// Starting and stopping as users and supervisors do: through npm, with a database that is away, with settings that cannot work.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isolatedEnv, spawnMain } from '../support/gatehouse.ts';
import { freePort } from '../support/postgres-server.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Listens and never says a word; ends with the test. */
async function listenAt(test: TestContext, port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => server.close());
  return server;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function until(isSo: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (let round = 0; round < 1200; round++) {
    if (await isSo()) return;
    await sleep(50);
  }
  assert.fail(what());
}

describe('npm start', () => {
  it('passes a signal on, answers it with 0, and names no metrics address of another program', async (test) => {
    const metricsPort = await freePort();
    await listenAt(test, metricsPort);
    const { env, dispose } = await isolatedEnv('sqlite', { METRICS_PORT: String(metricsPort) });
    test.after(dispose);
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = readAll(npm);
    await until(() => said().includes('ready in'), said);
    assert.match(said(), new RegExp(`Metrics +not served: port ${metricsPort} belongs to another program`));
    assert.ok(!said().includes(`:${metricsPort}/metrics`));
    // To npm alone, as a supervisor does; it passes the second on as well, as after Ctrl+C.
    npm.kill('SIGTERM');
    npm.kill('SIGINT');
    const [code] = (await once(npm, 'exit')) as [number | null];
    assert.equal(code, 0, said());
    assert.ok(await isFree(Number(env.PORT)));
  });

  it('ends with its parent where a shell does not pass the signal on', async (test) => {
    const { env, dispose } = await isolatedEnv('sqlite');
    test.after(dispose);
    const place = { cwd: root, env: { PATH: process.env.PATH ?? '', ...env, npm_lifecycle_event: 'npx' } };
    // The second command keeps the shell from becoming the first.
    const shell = spawn('sh', ['-c', `"${process.execPath}" src/gatehouse.js; true`], { ...place, stdio: 'pipe' });
    const said = readAll(shell);
    await until(() => said().includes('ready in'), said);
    shell.kill('SIGKILL');
    await until(() => isFree(Number(env.PORT)), said);
  });
});

function readAll(child: ChildProcess): () => string {
  let seen = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
  return () => seen;
}

describe('a start with a database that is away', () => {
  it('answers liveness, says what it waits for with the cure, refuses the rest, and stops with 0', async (test) => {
    const away = await freePort();
    const { env, dispose } = await isolatedEnv('sqlite', { DATABASE_URL: `postgres://u:hidden@127.0.0.1:${away}/g` });
    test.after(dispose);
    const { child, output, ended } = spawnMain([], env);
    test.after(() => child.kill('SIGKILL'));
    const ask = (path: string) => fetch(`http://127.0.0.1:${env.PORT}${path}`).catch(() => undefined);
    await until(
      async () => (await ask('/livez'))?.status === 200,
      () => output().stderr,
    );
    await until(
      () => output().stderr.includes('refused'),
      () => output().stderr,
    );
    const ready = await ask('/readyz');
    assert.equal(ready?.status, 503);
    assert.match(
      ((await ready.json()) as { message: string }).message,
      /the database for \d+ s \(the connection was refused, ECONNREFUSED\)/,
    );
    const [line = '', ...others] = output().stderr.trim().split('\n');
    assert.match(
      line,
      new RegExp(
        `PostgreSQL at 127.0.0.1:${away}: the connection was refused, ECONNREFUSED. To cure it: start PostgreSQL`,
      ),
    );
    assert.ok(!output().stderr.includes('hidden') && !output().stdout.includes('hidden'));
    assert.ok(!output().stdout.includes('"stack"'));
    assert.deepEqual(others, []);
    const other = await ask('/api/auth/me');
    assert.deepEqual([other?.status, other?.headers.get('retry-after')], [503, '1']);
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  });

  it('says so when the database takes connections and is silent', async (test) => {
    const silent = await freePort();
    await listenAt(test, silent);
    const { env, dispose } = await isolatedEnv('sqlite', { DATABASE_URL: `postgres://u@127.0.0.1:${silent}/g` });
    test.after(dispose);
    const { child, output } = spawnMain([], env);
    test.after(() => child.kill('SIGKILL'));
    await until(
      () => output().stderr.includes('it does not answer. To cure it:'),
      () => output().stderr,
    );
  });
});

describe('workers', () => {
  it('that are killed before they serve are started again, and the service does not end as if all were well', async (test) => {
    const { env, dispose } = await isolatedEnv('sqlite', {
      WORKERS: '2',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    });
    const { child, ended, output } = spawnMain([], env);
    test.after(dispose);
    const pid = child.pid ?? assert.fail();
    const workers = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Number).map(Number);
    await until(
      () => output().stderr.includes('waits for PostgreSQL'),
      () => output().stderr,
    );
    // The others begin when the first one serves.
    const [first = assert.fail('no worker'), ...others] = workers();
    assert.deepEqual(others, []);
    process.kill(first, 'SIGKILL');
    await until(
      () => workers().some((worker) => worker !== first),
      () => 'another one',
    );
    child.kill('SIGTERM');
    assert.equal(await ended, 0, output().stderr);
  });
});

describe('settings that cannot work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'));
  const cases = {
    'a data folder in /proc': [
      { DATA_DIR: '/proc/x/y' },
      /DATA_DIR=\/proc\/x\/y: no folder can be made there\. Set DATA_DIR/,
    ],
    'a data folder that is a file': [{ DATA_DIR: '/etc/passwd' }, /DATA_DIR=\/etc\/passwd: there is a file/],
    'a host that is not of this machine': [
      { HOST: '192.0.2.1' },
      /HOST=192\.0\.2\.1 is no address of this machine\. Set HOST/,
    ],
  } as const;
  for (const [name, [env, words]] of Object.entries(cases)) {
    it(`${name}: one sentence with its cure, and 78`, async () => {
      const own = { PORT: String(await freePort()), METRICS_PORT: 'off', DATA_DIR: folder, ...env };
      const { ended, output } = spawnMain([], own);
      assert.equal(await ended, 78, output().stderr);
      assert.match(output().stderr, words);
      assert.equal(output().stderr.trim().split('\n').length, 1);
    });
  }
  it('leave nothing behind', () => rmSync(folder, { recursive: true }));
});
