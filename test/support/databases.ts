// A fresh PostgreSQL database for one test file, on the server that the test run brought up.
import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

let own: Promise<PostgresServer> | undefined;

export async function createDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `t_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server, `drop database if exists ${name} with (force)`) };
}

/** The run's server, or one of this file's own when the file is run by itself. */
async function serverUrl(): Promise<string> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given !== undefined && given !== '') return given;
  if (own === undefined) {
    own = startPostgresServer();
    after(async () => (await own)?.end());
  }
  return (await own).url;
}

async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
