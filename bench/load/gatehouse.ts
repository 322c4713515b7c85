// Gatehouse as a peer of the bench: started as a user would start it, with its own workloads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../test/helpers/databases/postgres-server.ts';
import type { Peer } from '../peers/peer.ts';
import { benchApps } from './app-workloads.ts';
import { createWorkloads } from './gatehouse-workloads.ts';
import { retire } from './retire.ts';
import { host } from './sign-in-callers.ts';

export type GatehousePeer = Peer & {
  readonly readyMilliseconds: number;
  readonly dataDir: string;
};

type StartOptions = {
  /** The folder of the sources, if not those of this bench. */
  readonly root?: string;
  /** Further flags of Node. */
  readonly flags?: readonly string[];
  /** A program that starts it, with its arguments: `taskset -c 1`. */
  readonly through?: readonly string[];
};

const ownRoot = new URL('../../', import.meta.url).pathname;

/** The defaults, but without metrics, and with room for the files of a run. */
const settings = {
  METRICS_PORT: 'off',
  LOG_LEVEL: 'warn',
  LIMIT_UPLOADS_PER_USER: 'off',
  FILE_QUOTA: '100GiB',
  FILE_COUNT: '10000000',
};

/** In local mode: messages go to the inbox, and the terminal prints every code. */
export async function startGatehouse(
  name: string,
  env: Readonly<Record<string, string>> = {},
  { root = ownRoot, flags = [], through = [] }: StartOptions = {},
): Promise<GatehousePeer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const threadNames = join(dataDir, 'threads');
  mkdirSync(threadNames);
  const port = await freePort();
  const appsFile = join(dataDir, 'apps.json');
  writeFileSync(appsFile, benchApps);
  // The bench measures a start, not a build.
  await ensureBuilt(root);
  const begin = performance.now();
  const start = readStart(root);
  const watchers = ['name-threads.js', ...(env.BENCH_LOOP_DELAY === undefined ? [] : ['loop-delay.js'])];
  // Threads load what is required, but not what is imported.
  const required = watchers.flatMap((file) => ['--require', new URL(file, import.meta.url).pathname]);
  const [program = '', ...args] = [
    ...through,
    process.execPath,
    ...start.flags,
    ...flags,
    ...required,
    join(root, 'src/gatehouse.js'),
  ];
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      APPS_FILE: appsFile,
      BENCH_THREADS: threadNames,
      ...start.env,
      ...settings,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const tidyUp = () => {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', tidyUp);
  const codes = new Map<string, string>();
  let complaints = '';
  createInterface(child.stderr).on('line', (line) => {
    const [, phone, code] = /SMS to (\+\d+): .*?(\d{6})/.exec(line) ?? [];
    if (phone !== undefined && code !== undefined) codes.set(phone, code);
    else complaints = `${complaints}${line}\n`.slice(-2000);
  });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start: ${complaints}`);
    await sleep(5);
  }
  return {
    name,
    url: `http://${host}:${port}`,
    pid: child.pid ?? 0,
    threadNames,
    readyMilliseconds: performance.now() - begin,
    dataDir: env.DATA_DIR ?? dataDir,
    workloads: createWorkloads(port, codes),
    stop: async () => {
      process.off('exit', tidyUp);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      retire(dataDir);
    },
  };
}

async function ensureBuilt(root: string): Promise<void> {
  const { href } = pathToFileURL(join(root, 'scripts/build/ensure-built.js'));
  const builder = (await import(href)) as { ensureBuilt(): Promise<string> };
  await builder.ensureBuilt();
}

/** The environment and the flags with which `npm start` starts it. */
function readStart(root: string): { env: NodeJS.ProcessEnv; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  const assignments = words.filter((word) => /^[A-Z]/.test(word)).map((word) => word.split('='));
  return {
    env: Object.fromEntries(assignments),
    flags: words.filter((word) => word.startsWith('--') && word !== '--'),
  };
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://${host}:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}
