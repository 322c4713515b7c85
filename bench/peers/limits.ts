// The limits of the machine: a bare hello, a bare signature, files by nginx, and the commits of a database.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../test/helpers/databases/postgres-server.ts';
import { request } from '../load/drive.ts';
import { expectPayload, type Payload, payload4KiB, payload100MiB } from './payloads.ts';
import { expectAnswer, forEachConnection, type Peer, type Store } from './peer.ts';
import { type PeerProcess, startPeerProcess } from './process.ts';

const commitSeconds = 2;
const commitRows = 1000;
const token = 'a-token-that-is-known';
/** Debian installs it in a folder that only the PATH of root contains. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export async function startHello(): Promise<Peer> {
  const server = await startPeerProcess('hello-server.ts', {});
  return limitOf('raw node:http', server, 'hello', 'GET /', 'hello');
}

export async function startSigner(): Promise<Peer> {
  const server = await startPeerProcess('signer-server.ts', {});
  return limitOf('Fastify that signs', server, 'sign', 'POST /token', '"token":"ey');
}

function limitOf(name: string, server: PeerProcess, workload: string, line: string, piece: string): Peer {
  const asked = request(line, server.host, line.startsWith('POST') ? { 'content-length': '0' } : {});
  return {
    name,
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: {
      [workload]: async (connections) =>
        forEachConnection(connections, () => ({
          ask: () => asked,
          check: (status, body) => expectAnswer(status, body, 200, piece),
        })),
    },
  };
}

/** The same 100 MiB by `createReadStream(file).pipe(response)`. */
export async function startReadStream(folder: string): Promise<Peer> {
  const file = join(folder, payload100MiB.name);
  writeFileSync(file, payload100MiB.bytes);
  const server = await startPeerProcess('stream-server.ts', { file });
  const asked = request('GET /', server.host);
  return {
    name: 'createReadStream',
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: {
      download100MiB: async (connections) =>
        forEachConnection(connections, () => ({ ask: () => asked, check: expectPayload(payload100MiB) })),
    },
  };
}

/** Serves the files of the folder. Undefined, with a printed line, if nginx is not installed. */
export async function startNginx(folder: string): Promise<Peer | undefined> {
  if (!hasNginx()) return undefined;
  for (const { name, bytes } of [payload4KiB, payload100MiB]) writeFileSync(join(folder, name), bytes);
  const check = await startPeerProcess('token-check-server.ts', { token });
  const nginx = await runNginx(folder, (host) => settingsFor(folder, host, check.host));
  const { host } = nginx;
  return {
    name: 'nginx',
    url: `http://${host}`,
    pid: nginx.pid,
    otherPids: [check.pid],
    stop: async () => {
      await nginx.stop();
      await check.stop();
    },
    workloads: {
      open4KiB: downloads(host, 'open', payload4KiB),
      download4KiB: downloads(host, 'checked', payload4KiB),
      open100MiB: downloads(host, 'open', payload100MiB),
      download100MiB: downloads(host, 'checked', payload100MiB),
    },
  };
}

function downloads(host: string, place: 'open' | 'checked', payload: Payload): Peer['workloads'][string] {
  const headers: Record<string, string> = place === 'checked' ? { authorization: `Bearer ${token}` } : {};
  const asked = request(`GET /${place}/${payload.name}`, host, headers);
  return async (connections) =>
    forEachConnection(connections, () => ({ ask: () => asked, check: expectPayload(payload) }));
}

function hasNginx(): boolean {
  const isThere = spawnSync('nginx', ['-v'], { env }).status === 0;
  if (!isThere) console.log('nginx is not installed: left out.');
  return isThere;
}

async function runNginx(folder: string, settings: (host: string) => string) {
  const host = `127.0.0.1:${await freePort()}`;
  const log = join(folder, 'error.log');
  writeFileSync(join(folder, 'nginx.conf'), settings(host));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', log], { env, stdio: 'ignore' });
  process.once('exit', () => child.kill());
  const ended = once(child, 'exit');
  for (let round = 0; !(await answers(`http://${host}`)); round++) {
    if (child.exitCode !== null || round === 200) throw new Error(`nginx does not start: ${readFileSync(log, 'utf8')}`);
    await sleep(25);
  }
  return {
    host,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** The peer's downloads through nginx, which serves the files itself if the peer says so. */
export async function behindNginx(peer: Peer, name: string, folder: string, files: string): Promise<Peer | undefined> {
  if (!hasNginx()) return undefined;
  const upstream = new URL(peer.url).host;
  const nginx = await runNginx(folder, (host) => accelSettings(folder, host, upstream, files));
  const { download4KiB, download100MiB } = peer.workloads;
  if (download4KiB === undefined || download100MiB === undefined) throw new Error('nothing to download');
  return {
    name,
    url: `http://${nginx.host}`,
    pid: peer.pid,
    otherPids: [nginx.pid],
    workloads: { download4KiB, download100MiB },
    stop: async () => {
      await nginx.stop();
      await peer.stop();
    },
  };
}

function accelSettings(folder: string, host: string, upstream: string, files: string): string {
  return `${commonSettings(folder)}
  upstream gatehouse { server ${upstream}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen ${host} backlog=4096;
    location / { proxy_pass http://gatehouse; proxy_http_version 1.1; proxy_set_header Connection ""; }
    location /internal-files/ { internal; alias ${files}/; }
  }
}
`;
}

function commonSettings(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
${userInfo().uid === 0 ? `user ${userInfo().username};` : ''}
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; open_file_cache max=1000; keepalive_requests 1000000000;
  ${temporary.join(' ')}`;
}

function settingsFor(folder: string, host: string, checkHost: string): string {
  return `${commonSettings(folder)}
  upstream check { server ${checkHost}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen ${host} backlog=4096;
    location /open/ { alias ${folder}/; }
    location /checked/ { auth_request /check; alias ${folder}/; }
    location = /check {
      internal; proxy_pass http://check; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_pass_request_body off; proxy_set_header Content-Length "";
    }
  }
}
`;
}

/** Durable commits per second, each of one update: one after the other on SQLite, on several connections on PostgreSQL. */
export async function commitRate(store: Store, connections = 32): Promise<number> {
  return store.kind === 'sqlite' ? sqliteCommitRate(store.file) : postgresCommitRate(store.url, connections);
}

function sqliteCommitRate(file: string): number {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists commits (id integer primary key, count integer not null);
    with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < ${commitRows})
    insert or ignore into commits select id, 0 from numbers`);
  const update = database.prepare('update commits set count = count + 1 where id = ?');
  const begin = performance.now();
  let done = 0;
  while (performance.now() - begin < commitSeconds * 1000) update.run((done++ % commitRows) + 1);
  const rate = done / ((performance.now() - begin) / 1000);
  database.close();
  return rate;
}

async function postgresCommitRate(url: string, connections: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query('create table if not exists commits (id integer primary key, count integer not null)');
  await pool.query(
    'insert into commits select value, 0 from generate_series(1, $1::integer) value on conflict do nothing',
    [commitRows],
  );
  const begin = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect();
      while (performance.now() - begin < commitSeconds * 1000) {
        const id = (done++ % commitRows) + 1;
        await client.query({ name: 'count', text: 'update commits set count = count + 1 where id = $1', values: [id] });
      }
      client.release();
    }),
  );
  const rate = done / ((performance.now() - begin) / 1000);
  await pool.end();
  return rate;
}
