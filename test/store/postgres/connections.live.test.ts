// Connections to PostgreSQL: a query waits for one of the node, is refused only if the node has none, and none outlives its pool.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openPostgresPool } from '../../../src/store/postgres/postgres-pool.ts';
import { createDatabase, type TestDatabase } from '../../helpers/databases/databases.ts';
import { startTcpProxy } from '../../helpers/requests/tcp-proxy.ts';

const allowed = 3;

describe('the connections to PostgreSQL', () => {
  const role = `limited_${randomBytes(4).toString('hex')}`;
  let database: TestDatabase;
  let owner: pg.Client;
  let url: string;
  before(async () => {
    database = await createDatabase();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`create role ${role} login connection limit ${allowed}`);
    const limited = new URL(database.url);
    limited.username = role;
    limited.password = '';
    url = limited.href;
  });
  after(async () => {
    await owner.query(`drop role ${role}`);
    await owner.end();
    await database.drop();
  });

  it('queries wait for the few connections that PostgreSQL allows, and none is refused', async () => {
    const pool = openPostgresPool(url, [], 8);
    const calls = Array.from({ length: 40 }, () => pool.query('select pg_sleep(0.01)'));
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
    assert.deepEqual(refused, []);
    const { busy, idle } = pool.connections();
    assert.ok(busy + idle <= allowed, `${busy + idle} connections`);
    await pool.end();
  });

  it('a query is refused if PostgreSQL allows no connection at all', async () => {
    const others = await Promise.all(
      Array.from({ length: allowed }, async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        return client;
      }),
    );
    const pool = openPostgresPool(url, [], 8);
    await assert.rejects(pool.query('select 1'), /too many connections/);
    await Promise.all(others.map((client) => client.end()));
    await pool.end();
  });

  it('the pool opens no more connections than its limit', async () => {
    const pool = openPostgresPool(database.url, [], 2);
    await Promise.all(Array.from({ length: 20 }, () => pool.query('select pg_sleep(0.005)')));
    const { busy, idle } = pool.connections();
    assert.equal(busy + idle, 2);
    await pool.end();
  });

  it('a pool that has ended has left no session', async () => {
    const observer = new pg.Client({ connectionString: database.url });
    await observer.connect();
    const seen =
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'gatehouse'";
    for (let round = 0; round < 20; round++) {
      const pool = openPostgresPool(database.url, [], 8);
      await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.005)')));
      await pool.end();
      assert.deepEqual((await observer.query(seen)).rows, []);
    }
    await observer.end();
  });

  it('a pool ends within seconds if its server hangs', async () => {
    const { hostname, port } = new URL(database.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const through = new URL(database.url);
    through.port = String(proxy.port);
    const pool = openPostgresPool(through.href, [], 2);
    await pool.query('select 1');
    proxy.hold(true);
    const began = performance.now();
    await pool.end();
    assert.ok(performance.now() - began < 10_000);
    await proxy.close();
  });
});
