// For tests of apps: starts a Gatehouse of their own on a free port, with data that is thrown away, and reads its inbox.
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
  readonly inbox: TestInbox;
  stop(): Promise<void>;
};

export type TestOptions = {
  /** A checkout of Gatehouse in which `npm ci` has run; the environment variable GATEHOUSE_DIR when left out. */
  readonly dir?: string | undefined;
  /** What to run instead, for instance `['docker', 'run', …]`; it gets the settings as its environment. */
  readonly command?: readonly [program: string, ...args: string[]] | undefined;
  /** Further settings, such as ACCESS_TOKEN_LIFE. */
  readonly env?: Readonly<Record<string, string>> | undefined;
};

const longestStartMilliseconds = 30_000;

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

/** The checkout's own Node runs its own program. */
async function commandOf(dir: string | undefined): Promise<[string, ...string[]]> {
  if (dir === undefined)
    throw new Error('name a checkout of Gatehouse: option dir, or environment variable GATEHOUSE_DIR');
  const { bin } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as { bin: { gatehouse: string } };
  return [join(dir, 'node_modules', '.bin', 'node'), join(dir, bin.gatehouse)];
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  let said = '';
  let problem: Error | undefined;
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-4000);
  });
  child.once('error', (error) => {
    problem = error;
  });
  for (const begin = Date.now(); Date.now() - begin < longestStartMilliseconds; ) {
    if (problem !== undefined) throw problem;
    if (child.exitCode !== null) throw new Error(`Gatehouse ended with ${child.exitCode}:\n${said}`);
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error(`Gatehouse does not answer at ${url}:\n${said}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
