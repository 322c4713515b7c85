// Starts Gatehouse for a test: inside the test's process with a clock that the test moves, or as its own process.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/config/config.ts';
import { createService, type Service, type ServiceOptions } from '../../../src/service/service.ts';
import { createDatabase, createMigratedDatabase } from '../databases/databases.ts';
import { freePort } from '../databases/postgres-server.ts';

export type StoreKind = 'sqlite' | 'postgres';

export const storeKinds: readonly StoreKind[] = ['sqlite', 'postgres'];

/** Whether the slow tier runs the file again on PostgreSQL. What no database changes is then left out: the fast tier has shown it. */
export const isRepeat = process.env.TEST_TIER_STORE === 'postgres';

/** For tests over HTTP: SQLite in the fast tier. The slow tier runs their files again on PostgreSQL. */
export const tierStoreKinds: readonly StoreKind[] = isRepeat ? ['postgres'] : ['sqlite'];

export type TestEnv = Readonly<Record<string, string>>;

/** Starts at the real time and moves only when the test moves it. */
export type TestClock = { now(): number; advance(seconds: number): void };

export function createTestClock(): TestClock {
  const begin = Date.now();
  let moved = 0;
  return {
    now: () => begin + moved,
    advance: (seconds) => {
      moved += seconds * 1000;
    },
  };
}

export type Gatehouse = { readonly url: string; readonly service: Service; stop(): Promise<void> };

/** Settings of an isolated service: its own data folder, a free port, and a database of the kind. */
export async function isolatedEnv(
  kind: StoreKind,
  env: TestEnv = {},
  state: 'empty' | 'migrated' = 'empty',
): Promise<{ env: TestEnv; dispose(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const create = state === 'empty' ? createDatabase : createMigratedDatabase;
  const database = kind === 'postgres' ? await create() : undefined;
  return {
    env: {
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      METRICS_PORT: 'off',
      LOG_LEVEL: 'silent',
      // Tests wait for the next message to an address, and a notice may come first. Those of notices turn them on.
      NOTICES: 'off',
      ...(database !== undefined && { DATABASE_URL: database.url }),
      ...env,
    },
    dispose: async () => {
      await database?.drop();
      // A process that was killed a moment ago, or a service that ends later, may still write.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

export async function startGatehouse(
  env: TestEnv,
  clock?: TestClock,
  options: ServiceOptions = {},
): Promise<Gatehouse> {
  const result = readConfig(env);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const service = await createService(result.config, clock === undefined ? options : { ...options, clock });
  const { host, port } = result.config.listen;
  await service.server.listen({ host, port }).catch(async (error: unknown) => {
    await service.end();
    throw error;
  });
  return {
    url: `http://${host}:${port}`,
    service,
    stop: async () => {
      service.beginStop();
      service.server.server.closeAllConnections();
      await service.server.close().finally(() => service.end());
    },
  };
}

export type GatehouseProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => { stdout: string; stderr: string };
  /** Exit code, or undefined when it ended by a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | undefined>;
};

/** Long enough for a busy machine. */
const longestStartMilliseconds = 120_000;

/** Resolves when it is ready. A command before it can run it: strace, or a shell with limits. Other sources may be given. */
export async function spawnGatehouse(
  env: TestEnv,
  before: readonly string[] = [],
  sources = ownSources,
): Promise<GatehouseProcess> {
  const { child, output, ended } = spawnMain([], env, before, sources);
  const url = `http://127.0.0.1:${env.PORT ?? '8080'}`;
  const until = performance.now() + longestStartMilliseconds;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`gatehouse ended: ${output().stderr}`);
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) break;
    if (performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`gatehouse is not ready: ${output().stderr}`);
    }
    await sleep(50);
  }
  return {
    url,
    child,
    output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

const ownSources = new URL('../../../', import.meta.url).pathname;
const { scripts } = JSON.parse(readFileSync(join(ownSources, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};

const { TEST_PROGRAM } = process.env;
const inSources = join(ownSources, 'src/gatehouse.js');

/** The test run has built it already, so that no start needs to compare the build with the sources. */
function programAt(path: string): string {
  return path === inSources && TEST_PROGRAM !== undefined
    ? fileURLToPath(new URL('../gatehouse.js', TEST_PROGRAM))
    : path;
}

/** Runs the program with arguments, as `npm start` would. */
export function spawnMain(args: readonly string[], env: TestEnv, before: readonly string[] = [], sources = ownSources) {
  const [setting = '', line = ''] = scripts.start.split(' exec node ');
  const words = line.split(' ');
  const start = words.map((word) => (word.startsWith('--') ? word : programAt(join(sources, word))));
  const [command = process.execPath, ...rest] = [...before, process.execPath, ...start, ...args];
  const watched = sources === ownSources ? watchedEnv() : {};
  return follow(command, rest, { ...Object.fromEntries([setting.split('=')]), ...watched, ...env });
}

/** Runs a command as `npx gatehouse` would: Node has no flags. */
export function spawnCommand(args: readonly string[], env: TestEnv) {
  return follow(process.execPath, [programAt(inSources), ...args], { ...watchedEnv(), ...env });
}

function follow(command: string, args: readonly string[], env: TestEnv) {
  const child = spawn(command, args, { env: { ...whereabouts(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      seen[name] += chunk.toString();
    });
  }
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('close', (code) => resolve(code ?? undefined));
  });
  return { child, output: () => seen, ended };
}

/** What a process of the program has from the machine. */
export function whereabouts(): TestEnv {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
}

/** The test run notes what the routes of a service answer, see watch-answers.js. */
function watchedEnv(): TestEnv {
  const { ANSWERS_SEEN, ANSWERS_PUBLISHED } = process.env;
  if (ANSWERS_SEEN === undefined || ANSWERS_PUBLISHED === undefined) return {};
  const preload = new URL('../watch-answers.js', import.meta.url).pathname;
  return {
    NODE_OPTIONS: `--require "${preload}"`,
    ANSWERS_SEEN,
    ANSWERS_PUBLISHED,
    ANSWERS_SEEN_IN: process.env.TEST_FILE ?? '',
  };
}
