// A real PgBouncer in front of a test's database, which it offers in session mode as `session` and in transaction mode as `transaction`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const nobody = 65_534;

/** Debian installs it in a folder that only the PATH of root contains. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env }).status === 0;

export type PgBouncer = { url(mode: 'session' | 'transaction'): string; end(): Promise<void> };

/** The defaults of the package: only the connection is configured. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const { hostname, port: target, pathname, username } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'));
  const port = await freePort();
  const to = `host=${hostname} port=${target} dbname=${pathname.slice(1)}`;
  const path = join(folder, 'pgbouncer.ini');
  const text = [
    '[databases]',
    `session = ${to} pool_mode=session`,
    `transaction = ${to} pool_mode=transaction`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users')}`,
  ];
  writeFileSync(path, `${text.join('\n')}\n`);
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(folder, nobody, nobody);
  const runAs = isRoot ? { uid: nobody, gid: nobody } : {};
  const child = spawn('pgbouncer', [path], { ...runAs, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await waitUntil('PgBouncer answers', () => answers(port));
  return {
    url: (mode) => `postgres://${username}@127.0.0.1:${port}/${mode}`,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
