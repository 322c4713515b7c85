// Starting and stopping as users and supervisors do: through npm, without a reachable database, with settings that cannot work.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { createBrandFolder } from '../../helpers/services/brand-folder.ts';
import { isolatedEnv, spawnMain } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const root = new URL('../../../', import.meta.url).pathname;

/** Accepts connections and never answers. Closes at the end of the test. */
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

describe('npm start', () => {
  it('npm start forwards a signal, exits with 0, and does not print a metrics URL whose port another program uses', async (test) => {
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
    await waitUntil(said, () => said().includes('ready in'));
    assert.match(said(), new RegExp(`Metrics +not served: port ${metricsPort} belongs to another program`));
    assert.ok(!said().includes(`:${metricsPort}/metrics`));
    // A supervisor signals npm alone. npm forwards the second signal as well, as after Ctrl+C.
    npm.kill('SIGTERM');
    npm.kill('SIGINT');
    const [code] = (await once(npm, 'exit')) as [number | null];
    assert.equal(code, 0, said());
    assert.ok(await isFree(Number(env.PORT)));
  });

  it('the service started through npx ends with its parent shell, which does not forward the signal', async (test) => {
    const { env, dispose } = await isolatedEnv('sqlite');
    test.after(dispose);
    const place = { cwd: root, env: { PATH: process.env.PATH ?? '', ...env, npm_lifecycle_event: 'npx' } };
    // Because of the second command, the shell does not replace itself with the first.
    const shell = spawn('sh', ['-c', `"${process.execPath}" src/gatehouse.js; true`], { ...place, stdio: 'pipe' });
    const said = readAll(shell);
    await waitUntil(said, () => said().includes('ready in'));
    shell.kill('SIGKILL');
    await waitUntil(said, () => isFree(Number(env.PORT)));
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

describe('a start without a reachable database', () => {
  it('a service without its database answers /livez, prints the cause with its cure, refuses other requests, and exits with 0', async (test) => {
    const away = await freePort();
    const { env, dispose } = await isolatedEnv('sqlite', { DATABASE_URL: `postgres://u:hidden@127.0.0.1:${away}/g` });
    test.after(dispose);
    const { child, output, ended } = spawnMain([], env);
    test.after(() => child.kill('SIGKILL'));
    const ask = (path: string) => fetch(`http://127.0.0.1:${env.PORT}${path}`).catch(() => undefined);
    await waitUntil(
      () => output().stderr,
      async () => (await ask('/livez'))?.status === 200,
    );
    await waitUntil(
      () => output().stderr,
      () => output().stderr.includes('refused'),
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

  it('a starting service says that the database accepts connections but does not answer', async (test) => {
    const silent = await freePort();
    await listenAt(test, silent);
    const { env, dispose } = await isolatedEnv('sqlite', { DATABASE_URL: `postgres://u@127.0.0.1:${silent}/g` });
    test.after(dispose);
    const { child, output } = spawnMain([], env);
    test.after(() => child.kill('SIGKILL'));
    await waitUntil(
      () => output().stderr,
      () => output().stderr.includes('it does not answer. To cure it:'),
    );
  });
});

describe('worker processes', () => {
  it('a worker killed before it serves is started again, and the service does not exit', async (test) => {
    const { env, dispose } = await isolatedEnv('sqlite', {
      WORKERS: '2',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    });
    const { child, ended, output } = spawnMain([], env);
    test.after(dispose);
    const pid = child.pid ?? assert.fail();
    const workers = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Number).map(Number);
    await waitUntil(
      () => output().stderr,
      () => output().stderr.includes('waits for PostgreSQL'),
    );
    // The other workers start when the first one serves.
    const [first = assert.fail('no worker'), ...others] = workers();
    assert.deepEqual(others, []);
    process.kill(first, 'SIGKILL');
    await waitUntil('another worker', () => workers().some((worker) => worker !== first));
    child.kill('SIGTERM');
    assert.equal(await ended, 0, output().stderr);
  });
});

describe('a file of the settings that is broken while several workers run', () => {
  it('a worker that ends then is not the end of the others, and starts again when the file is right', async (test) => {
    const brand = createBrandFolder();
    const { env, dispose } = await isolatedEnv('sqlite', { WORKERS: '2', BRAND_FILE: brand.file });
    const { child, ended, output } = spawnMain([], env);
    test.after(async () => {
      child.kill('SIGTERM');
      brand.remove();
      await dispose();
    });
    const pid = child.pid ?? assert.fail();
    const workers = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Number).map(Number);
    const serving = () => output().stderr.split('Press Ctrl+C').length - 1;
    await waitUntil('two workers serve', () => serving() === 2);
    const good = readFileSync(brand.file);
    writeFileSync(brand.file, '{');
    const [first = assert.fail('no worker'), second = assert.fail('one worker')] = workers();
    process.kill(first, 'SIGKILL');
    await waitUntil('the report', () => output().stderr.includes('The other workers go on with the file as it was'));
    assert.match(output().stderr, /BRAND_FILE is invalid: the file is not JSON/);
    assert.ok(workers().includes(second));
    assert.equal((await fetch(`http://localhost:${env.PORT}/readyz`)).status, 200);
    writeFileSync(brand.file, good);
    await waitUntil('two workers serve again', () => serving() === 3);
    child.kill('SIGTERM');
    assert.equal(await ended, 0, output().stderr);
  });
});

describe('settings that cannot work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'));
  const cases = {
    'a data folder in /proc': [
      { DATA_DIR: '/proc/x/y' },
      /DATA_DIR=\/proc\/x\/y: no folder can be created there\. Set DATA_DIR/,
    ],
    'a data folder that is a file': [{ DATA_DIR: '/etc/passwd' }, /DATA_DIR=\/etc\/passwd: there is a file/],
    'a HOST that is not an address of this machine': [
      { HOST: '192.0.2.1' },
      /HOST=192\.0\.2\.1 is not an address of this machine\. Set HOST/,
    ],
  } as const;
  for (const [name, [env, words]] of Object.entries(cases)) {
    it(`a start with ${name} prints one sentence with its cure and exits with 78`, async () => {
      const own = { PORT: String(await freePort()), METRICS_PORT: 'off', DATA_DIR: folder, ...env };
      const { ended, output } = spawnMain([], own);
      assert.equal(await ended, 78, output().stderr);
      assert.match(output().stderr, words);
      assert.equal(output().stderr.trim().split('\n').length, 1);
    });
  }
  it('the folder of the start tests can be removed', () => rmSync(folder, { recursive: true }));
});
