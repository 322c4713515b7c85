// A database that was named by mistake: commands only look at it and say so, and a start that may not create tables names the right.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { makeOwnTables } from '../../../src/store/postgres/own-tables.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { isolatedEnv, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

describe('a PostgreSQL database without the tables of the service', () => {
  let env: TestEnv;
  let dispose: () => Promise<void>;
  let owner: pg.Client;
  before(async () => {
    ({ env, dispose } = await isolatedEnv('postgres'));
    owner = new pg.Client({ connectionString: env.DATABASE_URL });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await dispose();
  });
  const tables = async () => {
    const { rows } = await owner.query("select tablename from pg_tables where schemaname = 'public' order by 1");
    return rows.map(({ tablename }) => tablename);
  };

  const noTables = /this database has no Gatehouse tables.*gatehouse migrate up.*check DATABASE_URL/;
  const adopt = ['database', 'adopt', '--reason', 'a test', '--yes'];
  for (const [args, code, pattern] of [
    [['users', 'find', 'ann@example.com'], 1, noTables],
    [adopt, 1, noTables],
    [['doctor'], undefined, noTables],
    [['migrate', 'status'], 0, /missing {2}0001/],
  ] as const)
    it(`${args.slice(0, 2).join(' ')} creates nothing in it, and says what it is`, async () => {
      const ran = await runCommand(args, env);
      if (code !== undefined) assert.equal(ran.code, code, ran.stderr);
      assert.match(`${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, ' ').replaceAll('missing 0', 'missing  0'), pattern);
      assert.deepEqual(await tables(), []);
    });

  it('two that create a table at once both have it, and the transaction of the slower one goes on', async () => {
    const slower = new pg.Client({ connectionString: env.DATABASE_URL });
    await slower.connect();
    try {
      await owner.query('begin');
      await makeOwnTables(owner);
      await slower.query('begin');
      const made = makeOwnTables(slower);
      await waitUntil('the slower one waits', async () => {
        const { rows } = await owner.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rows.length > 0;
      });
      await owner.query('commit');
      await made;
      assert.equal((await slower.query('select 1 from database_cluster')).rowCount, 0);
      await slower.query('commit');
    } finally {
      await slower.end();
      await owner.query('drop table schema_migrations, database_cluster');
    }
  });

  it('several that create the tables at the same moment all have them', async () => {
    const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: env.DATABASE_URL }));
    await Promise.all(clients.map((client) => client.connect()));
    try {
      for (let round = 0; round < 60; round += 1) {
        await Promise.all(clients.map(makeOwnTables));
        await owner.query('drop table schema_migrations, database_cluster');
      }
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  it('a type of another program that has the name of a table is named in the error', async () => {
    await owner.query('create domain database_cluster as text');
    await assert.rejects(makeOwnTables(owner), { code: '42710', message: /type "database_cluster" already exists/ });
    await owner.query('drop domain database_cluster; drop table schema_migrations');
  });

  it('the table of another program is neither changed nor taken for the own one', async () => {
    await owner.query('create table schema_migrations (version text primary key)');
    for (const args of [['migrate', 'up'], ['users', 'find', 'ann@example.com'], adopt]) {
      const ran = await runCommand(args, env);
      assert.equal(ran.code, 1);
      assert.match(ran.stderr, /schema_migrations belongs to another program.*check DATABASE_URL/);
    }
    assert.deepEqual(await tables(), ['schema_migrations']);
    await owner.query('drop table schema_migrations');
  });

  it('a user that may not create tables gets an error with the right and what to grant, and needs it only for new tables', async () => {
    const role = `guest_${randomBytes(4).toString('hex')}`;
    await owner.query(`revoke create on schema public from public; create role ${role} login`);
    const url = new URL(env.DATABASE_URL ?? '');
    url.username = role;
    const guest = { ...env, DATABASE_URL: url.href };
    try {
      const refused = await runCommand(['migrate', 'up'], guest);
      assert.equal(refused.code, 1);
      const grant = new RegExp(`lacks the right CREATE on the schema public.*: grant (usage, create on .* to ${role})`);
      const [, rights = ''] = grant.exec(refused.stderr) ?? assert.fail(refused.stderr);
      assert.deepEqual(await tables(), []);
      await owner.query(`grant ${rights}`);
      assert.equal((await runCommand(['migrate', 'up'], guest)).code, 0);
      await owner.query(`revoke create on schema public from ${role}`);
      const again = await runCommand(['migrate', 'up'], guest);
      assert.equal(again.code, 0, again.stderr);
      assert.match(again.stdout, /Nothing to apply/);
      const found = await runCommand(['users', 'find', 'ann@example.com'], guest);
      assert.doesNotMatch(found.stderr, /cannot be reached|tables/);
    } finally {
      await owner.query(`drop owned by ${role}; drop role ${role}`);
    }
  });
});
