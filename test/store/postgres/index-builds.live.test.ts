// An index over a table in use: one node builds it while others write, and an interrupted build is repeated.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrations } from '../../../src/store/migrations/all.ts';
import { judgeMigrations, type Migration } from '../../../src/store/migrations/migration.ts';
import { openCluster } from '../../../src/store/postgres/cluster.ts';
import { migratePostgres } from '../../../src/store/postgres/postgres-migrator.ts';
import { createDatabase } from '../../helpers/databases/databases.ts';

const next: Migration = {
  name: '9998-next',
  statements: () => ['alter table receipts add column next_note text'],
  indexes: [{ name: 'receipts_next', on: 'receipts (sweep_at, id) where next_note is null' }],
};
const afterNext: Migration = { name: '9999-after', statements: () => ['drop index receipts_next'] };
const list = [...migrations, next];

async function open(test: TestContext) {
  const database = await createDatabase();
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };
  test.after(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  });
  await migratePostgres(openCluster(database.url));
  const eye = await connect();
  await eye.query("insert into receipts (id, sweep_at) select 'r' || n, n from generate_series(1, 2000) n");
  const ask = async (text: string) => (await eye.query(text)).rows as Record<string, unknown>[];
  /** Undefined before the build has started. */
  const isValid = async () =>
    (await ask("select indisvalid from pg_index where indexrelid = to_regclass('receipts_next')"))[0]?.indisvalid;
  const states = async () =>
    judgeMigrations(
      list,
      (await ask('select name from schema_migrations')).map(({ name }) => String(name)),
    );
  return { url: database.url, connect, ask, isValid, states };
}

/** Only here: other tests build indexes on the same server at the same time. */
const isBuilding = "datname = current_database() and query like 'create index concurrently%'";

/** Makes the build wait for a long transaction that started before it. */
async function holdBuild({ connect, isValid, ask }: Awaited<ReturnType<typeof open>>) {
  const reader = await connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select count(*) from users');
  return {
    untilWaiting: async () => {
      const waits = `select 1 from pg_stat_activity where ${isBuilding} and wait_event_type = 'Lock'`;
      for (let round = 0; round < 1200; round++) {
        if ((await isValid()) === false && (await ask(waits)).length > 0) return;
        await sleep(25);
      }
      assert.fail('the build does not wait');
    },
    release: () => reader.query('rollback'),
  };
}

describe('an index over a table in use', () => {
  it('an index build does not block writers, and its migration counts as applied only when the index is valid', async (test) => {
    const stage = await open(test);
    const hold = await holdBuild(stage);
    const steps: string[] = [];
    const nodes = [1, 2].map(() =>
      migratePostgres(openCluster(stage.url), { onStep: (what) => steps.push(what) }, list),
    );
    await hold.untilWaiting();
    const writer = await stage.connect();
    await writer.query("set lock_timeout = '250ms'");
    for (let count = 0; count < 20; count++)
      await writer.query('insert into receipts (id, sweep_at) values ($1, 1)', [`w${count}`]);
    assert.equal((await stage.states()).at(-1)?.isApplied, false);
    await hold.release();
    assert.deepEqual((await Promise.all(nodes)).flat(), [next.name]);
    assert.ok(steps.includes('migration 9998-next, index receipts_next'));
    assert.equal(await stage.isValid(), true);
    assert.equal((await stage.states()).at(-1)?.isApplied, true);
    assert.deepEqual(await stage.ask("select name from schema_migrations where name like '% %'"), []);
  });

  it('an interrupted index build is repeated before any later migration', async (test) => {
    const stage = await open(test);
    const hold = await holdBuild(stage);
    const cut = migratePostgres(openCluster(stage.url), {}, list);
    cut.catch(() => undefined);
    await hold.untilWaiting();
    await stage.ask(`select pg_terminate_backend(pid) from pg_stat_activity where ${isBuilding}`);
    await assert.rejects(cut);
    assert.equal(await stage.isValid(), false);
    await hold.release();
    const steps: string[] = [];
    const applied = await migratePostgres(openCluster(stage.url), { onStep: (what) => steps.push(what) }, [
      ...list,
      afterNext,
    ]);
    assert.deepEqual(applied, [next.name, afterNext.name]);
    assert.deepEqual(steps, ['migration 9998-next, index receipts_next', 'migration 9999-after']);
    assert.equal(await stage.isValid(), undefined);
  });

  it('an index of a new database is created with its migrations in one run', async (test) => {
    const database = await createDatabase();
    test.after(database.drop);
    const all = [...list, afterNext].map(({ name }) => name);
    assert.deepEqual(await migratePostgres(openCluster(database.url), {}, [...list, afterNext]), all);
    assert.deepEqual(await migratePostgres(openCluster(database.url), {}, [...list, afterNext]), []);
  });
});
