// A fresh PostgreSQL database for one test file, empty or migrated, on the server of the test run.
import { AsyncResource } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { after } from 'node:test';
import pg from 'pg';
import { type PostgresServer, shortLived, startPostgresServer } from './postgres-server.ts';

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

let own: Promise<PostgresServer> | undefined;
let template: Promise<string> | undefined;
/** The whole run of the file. The server may start in a hook or a test, and must not end with it. */
const run = new AsyncResource('test run');

export async function createDatabase(): Promise<TestDatabase> {
  return copyDatabase(await serverUrl(), `template0 encoding 'UTF8' locale 'C'`);
}

/** A migrated database, as a service leaves it after its first start. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  template ??= findTemplate(server);
  return copyDatabase(server, await template);
}

async function copyDatabase(server: string, from: string): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template ${from}`);
  return { url: at(server, name), drop: () => execute(server, `drop database if exists ${name} with (force)`) };
}

/** Created by the first caller while the others wait. It gets its name when it is complete. */
async function findTemplate(server: string): Promise<string> {
  const name = `t_migrated_${fingerprint()}`;
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return;
    const draft = await copyDatabase(server, `template0 encoding 'UTF8' locale 'C'`);
    await migrate(draft.url);
    await client.query(`alter database ${new URL(draft.url).pathname.slice(1)} rename to ${name}`);
    await client.query(`alter database ${name} allow_connections false`);
  });
  return name;
}

async function migrate(url: string): Promise<void> {
  const { openPostgresStore } = await import('../../../src/store/postgres/postgres.ts');
  const store = await openPostgresStore(url, () => undefined);
  try {
    await store.migrations.up();
  } finally {
    await store.close();
  }
}

/** A hash of everything that shapes an empty database: a server may have a template of another version. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = new URL('../../../src/store/', import.meta.url).pathname;
  for (const file of globSync(['postgres/*.ts', 'migrations/*.ts'], { cwd: sources }).sort()) {
    hash.update(file).update(readFileSync(`${sources}${file}`));
  }
  return hash.digest('hex').slice(0, 16);
}

function at(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The server of the test run, or a new one if the file runs alone. */
async function serverUrl(): Promise<string> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given !== undefined && given !== '') return given;
  if (own === undefined) {
    own = startPostgresServer(shortLived);
    run.runInAsyncScope(() => after(async () => (await own)?.end()));
  }
  return (await own).url;
}

function execute(url: string, text: string): Promise<void> {
  return withClient(url, async (client) => void (await client.query(text)));
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
