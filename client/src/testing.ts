// For tests of apps: starts a Gatehouse on a free port with temporary data, and reads its inbox.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestInbox, type TestInbox } from './test-inbox.ts';

export type TestGatehouse = {
  readonly url: string;
  /** The messages that the service would have sent. */
  readonly inbox: TestInbox;
  /**
   * Stops the service and deletes its data.
   * @example
   * await service.stop();
   */
  stop(): Promise<void>;
};

export type TestOptions = {
  /** A checkout of Gatehouse in which `npm ci` has run. Default: the environment variable GATEHOUSE_DIR. */
  readonly dir?: string | undefined;
  /** A command to run instead, for example `['docker', 'run', …]`. It gets the settings as environment variables. */
  readonly command?: readonly [program: string, ...args: string[]] | undefined;
  /** More settings, such as ACCESS_TOKEN_LIFE. */
  readonly env?: Readonly<Record<string, string>> | undefined;
};

const maxStartMilliseconds = 30_000;

/**
 * Starts a real service in local mode on a free port, and waits until it is ready. Its data are deleted when it stops.
 * @example
 * import { createGatehouse } from '@gatehouse/client';
 * import { startTestGatehouse } from '@gatehouse/client/testing';
 *
 * const service = await startTestGatehouse({ env: { ACCESS_TOKEN_LIFE: '2s' } });
 * const gatehouse = createGatehouse({ url: service.url });
 * await gatehouse.phone.sendCode('+12025550123');
 * await gatehouse.phone.signIn('+12025550123', await service.inbox.code('+12025550123'));
 * await service.stop();
 */
export async function startTestGatehouse(options: TestOptions = {}): Promise<TestGatehouse> {
  const dir = options.dir ?? process.env.GATEHOUSE_DIR;
  const [program, ...args] = options.command ?? (await commandOf(dir));
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(program, args, {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      HOST: 'localhost',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      METRICS_PORT: 'off',
      LOG_LEVEL: 'silent',
      ...options.env,
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child, url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, inbox: createTestInbox(url), stop };
}

/** Runs the checkout with the Node that it installed. */
async function commandOf(dir: string | undefined): Promise<[string, ...string[]]> {
  if (dir === undefined)
    throw new Error(
      'startTestGatehouse needs a checkout of Gatehouse: set the option dir or the variable GATEHOUSE_DIR',
    );
  const { bin } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as { bin: { gatehouse: string } };
  return [join(dir, 'node_modules', '.bin', 'node'), join(dir, bin.gatehouse)];
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  let output = '';
  let spawnError: Error | undefined;
  child.stderr?.on('data', (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-4000);
  });
  child.once('error', (error) => {
    spawnError = error;
  });
  for (const startedAt = Date.now(); Date.now() - startedAt < maxStartMilliseconds; ) {
    if (spawnError !== undefined) throw spawnError;
    if (child.exitCode !== null) throw new Error(`Gatehouse exited with code ${child.exitCode}:\n${output}`);
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error(`Gatehouse does not respond at ${url}:\n${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
