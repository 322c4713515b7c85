// PgBouncer in front of PostgreSQL: session mode works, and transaction mode is refused at the start with its cause.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPostgresPool } from '../../../src/store/postgres/postgres-pool.ts';
import { createDatabase, type TestDatabase } from '../../helpers/databases/databases.ts';
import { openNode } from '../../helpers/store/open-node.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts';

describe('a store behind PgBouncer', { skip: hasPgBouncer ? false : 'pgbouncer is not installed' }, () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  before(async () => {
    database = await createDatabase();
    pooler = await startPgBouncer(database.url);
  });
  after(async () => {
    await pooler.end();
    await database.drop();
  });

  it('a store behind PgBouncer in session mode starts, works and keeps its time-outs', async () => {
    const store = await openNode('postgres', pooler.url('session'));
    await store.migrations.up();
    await Promise.all(Array.from({ length: 20 }, () => store.call('journal.tryWriting', null)));
    await store.close();
    const pool = openPostgresPool(pooler.url('session'), []);
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'enable_seqscan'];
    const asked = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`;
    const { rows } = await pool.query(asked);
    await pool.end();
    assert.deepEqual(
      names.map((name) => rows[0]?.[name]),
      ['2500ms', '2s', '5s', 'off'],
    );
  });

  it('a store behind PgBouncer in transaction mode refuses to start', async () => {
    const store = await openNode('postgres', pooler.url('transaction'));
    await assert.rejects(store.migrations.up(), { code: 'POOLER_MODE' });
    await store.close();
  });
});
