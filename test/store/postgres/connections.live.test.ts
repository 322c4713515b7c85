// A PostgreSQL server without free connections: a query waits for one of the node, and is refused only if the node has none.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openPostgresPool } from '../../../src/store/postgres/postgres-pool.ts';
import { createDatabase, type TestDatabase } from '../../helpers/databases.ts';

const allowed = 3;

describe('PostgreSQL without a connection left', () => {
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
});
