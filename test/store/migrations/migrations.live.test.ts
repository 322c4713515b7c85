// Migrations: from an empty database, once, by one of several processes, all or nothing, and exactly as the schema says.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillPostgres } from '../../../src/store/backup/backup-postgres.ts';
import { fillSqlite } from '../../../src/store/backup/backup-sqlite.ts';
import { tables } from '../../../src/store/engine/tables.ts';
import { migrations } from '../../../src/store/migrations/all.ts';
import { createPorts } from '../../../src/store/ports.ts';
import { rounds } from '../../helpers/faults/rounds.ts';
import { asFileId, asSessionId } from '../../helpers/people/ids.ts';
import { type StoreKind, spawnMain, storeKinds } from '../../helpers/services/gatehouse.ts';
import { day, noon, sessionPolicy } from '../../helpers/store/fixtures.ts';
import { openNode } from '../../helpers/store/open-node.ts';
import { startChild } from '../../helpers/store/start-child.ts';
import { createEmptyDatabase, type EmptyDatabase } from '../../helpers/store/test-store.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { readColumns, readIndexes, readKeys } from './read-schema.ts';

const names = migrations.map(({ name }) => name);

for (const kind of storeKinds) {
  describe(`migrations on ${kind}`, () => {
    it('the migrations create every table, column and key of the schema, and no other', async () => {
      await withDatabase(kind, async (database) => {
        assert.deepEqual(await migrate(database), names);
        const expected = Object.entries(tables).map(([name, { columns }]) => [name, columns]);
        assert.deepEqual(await readColumns(database), Object.fromEntries(expected));
        assert.deepEqual(
          await readKeys(database),
          Object.fromEntries(Object.entries(tables).map(([name, { key }]) => [name, key])),
        );
      });
    });

    it('the migrations change nothing the second time', async () => {
      await withDatabase(kind, async (database) => {
        await migrate(database);
        const before = await readIndexes(database);
        const store = await openNode(kind, database.address);
        assert.deepEqual(await store.migrations.up(), []);
        const status = names.map((name) => ({ name, isApplied: true }));
        assert.deepEqual(await store.migrations.status(), status);
        await store.close();
        assert.deepEqual(await readIndexes(database), before);
      });
    });

    it('the migrations leave a file of a backup from before the charsets without one', async () => {
      await withDatabase(kind, async (database) => {
        const later = ['charset', 'keep_until', 'deleted_at', 'sweep_at', 'link_epoch'];
        const columns = Object.fromEntries(
          Object.entries(tables.files.columns).filter(([name]) => !later.includes(name)),
        );
        const values = {
          id: 'f',
          user_id: 'u',
          purpose: 'p',
          name: 'n',
          type: 'text/csv',
          size: 1,
          sha256: 'a',
          created_at: 7,
        };
        const named = new Map<string, string | number>(Object.entries(values));
        const row = Object.keys(columns).map((column) => named.get(column) ?? null);
        const pages = Readable.from([{ shape: { table: 'files', columns }, rows: [row] }]);
        const before = names.filter((name) => name < '0007');
        await (kind === 'sqlite' ? fillSqlite : fillPostgres)(database.address, before, pages);
        const store = await openNode(kind, database.address);
        assert.deepEqual(await store.migrations.up(), names.slice(before.length));
        const file = await createPorts(store).files.findFile({ id: asFileId('f'), now: noon });
        await store.close();
        assert.deepEqual([file?.type, file?.charset], ['text/csv', undefined]);
      });
    });

    it('the migrations leave a session from before the proofs as proved by its sign-in', async () => {
      await withDatabase(kind, async (database) => {
        const later = ['proved_at', 'proof', 'app_id', 'app_scopes', 'parent_id', 'late_repeats'];
        const columns = Object.fromEntries(
          Object.entries(tables.sessions.columns).filter(([column]) => !later.includes(column)),
        );
        const times = { rotated_at: noon, created_at: noon - day, last_used_at: noon, expires_at: noon + day };
        const values = { id: 's', user_id: 'u', seed_hash: 'seed', counter: 3, ends_at: noon + day, method: 'link' };
        const named = new Map<string, string | number>(Object.entries({ ...values, ...times }));
        const row = Object.keys(columns).map((column) => named.get(column) ?? null);
        const pages = Readable.from([{ shape: { table: 'sessions', columns }, rows: [row] }]);
        const before = names.filter((name) => name < '0008');
        await (kind === 'sqlite' ? fillSqlite : fillPostgres)(database.address, before, pages);
        const store = await openNode(kind, database.address);
        assert.deepEqual(await store.migrations.up(), names.slice(before.length));
        const rotation = {
          sessionId: asSessionId('s'),
          seedHash: 'seed',
          counter: 3,
          policy: sessionPolicy,
          now: noon,
        };
        const renewed = await createPorts(store).sessions.rotate(rotation);
        await store.close();
        assert.ok(renewed.kind === 'renewed');
        assert.deepEqual([renewed.proof, renewed.provedAt], ['link', noon - day]);
      });
    });

    it('the migrations are listed as missing before they are applied', async () => {
      await withDatabase(kind, async (database) => {
        const store = await openNode(kind, database.address);
        const status = names.map((name) => ({ name, isApplied: false }));
        assert.deepEqual(await store.migrations.status(), status);
        await store.close();
      });
    });

    it('one of several processes that start at once applies the migrations while the others wait', async () => {
      for (let round = 0; round < rounds(1); round++) {
        await withDatabase(kind, async (database) => {
          const children = await Promise.all(Array.from({ length: 3 }, () => readyChild(database)));
          const applied = await Promise.all(children.map(migrateIn));
          assert.deepEqual(
            applied.toSorted((a, b) => b.length - a.length),
            [names, [], []],
          );
          assert.deepEqual(Object.keys(await readColumns(database)), Object.keys(tables).toSorted());
        });
      }
    });

    it('the migrations are applied completely or not at all after a kill at any moment, and succeed the next time', async () => {
      const reference = await withDatabase(kind, async (database) => {
        await migrate(database);
        return readIndexes(database);
      });
      let database = await createEmptyDatabase(kind);
      const seen = new Set<boolean>();
      // More rounds if a busy machine lets every migration end before its kill.
      for (let round = 0; round < rounds(3) || (!seen.has(false) && round < 200); round++) {
        await killWhileMigrating(database, Math.random() * (kind === 'sqlite' ? 12 : 60));
        const made = Object.keys(await settled(database));
        seen.add(made.length > 0);
        assert.ok(made.length === 0 || made.length === Object.keys(tables).length, `${made.length} tables`);
        if (made.length === 0 && round % 4 !== 3) continue;
        await migrate(database);
        assert.deepEqual(await readIndexes(database), reference);
        await database.end();
        database = await createEmptyDatabase(kind);
      }
      await database.end();
      assert.ok(seen.has(false), 'at least one kill came before the end');
    });

    it('migrate status lists and migrate up applies the migrations', async () => {
      await withDatabase(kind, async ({ address }) => {
        const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrate-'));
        const env = { DATA_DIR: folder, ...(kind === 'postgres' && { DATABASE_URL: address }) };
        const run = async (...args: string[]) => {
          const { ended, output } = spawnMain(['migrate', ...args], env);
          assert.equal(await ended, 0, output().stderr);
          return output().stdout;
        };
        assert.equal(await run('status'), names.map((name) => `missing  ${name}\n`).join(''));
        const [first, second] = await Promise.all([run('up', '--json'), run('up', '--json')]);
        const all = [first, second].map((text) => (JSON.parse(text) as { applied: string[] }).applied.length);
        assert.deepEqual(
          all.toSorted((a, b) => a - b),
          [0, names.length],
        );
        assert.equal(await run('up'), 'Nothing to apply.\n');
        assert.equal(await run('status'), names.map((name) => `applied  ${name}\n`).join(''));
        const status = names.map((name) => ({ name, isApplied: true }));
        assert.deepEqual(JSON.parse(await run('status', '--json')), status);
        rmSync(folder, { recursive: true });
      });
    });
  });
}

async function withDatabase<T>(kind: StoreKind, work: (database: EmptyDatabase) => Promise<T>): Promise<T> {
  const database = await createEmptyDatabase(kind);
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

async function migrate({ kind, address }: EmptyDatabase): Promise<string[]> {
  const store = await openNode(kind, address);
  try {
    return await store.migrations.up();
  } finally {
    await store.close();
  }
}

async function readyChild({ kind, address }: EmptyDatabase): Promise<ChildProcess> {
  const child = startChild(new URL('./migrate-child.ts', import.meta.url), [kind, address]);
  await once(child, 'message');
  return child;
}

async function migrateIn(child: ChildProcess): Promise<string[]> {
  child.send('go');
  for (;;) {
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
    if (typeof message === 'object' && message !== null) return (message as { applied: string[] }).applied;
    assert.equal(message, 'migrating');
  }
}

async function killWhileMigrating(database: EmptyDatabase, afterMilliseconds: number): Promise<void> {
  const child = await readyChild(database);
  const exited = once(child, 'exit');
  child.send('go');
  await once(child, 'message');
  await sleep(afterMilliseconds);
  child.kill('SIGKILL');
  await exited;
}

/** The columns after the last statement of the killed process has ended. PostgreSQL notices the kill a moment later. */
async function settled(database: EmptyDatabase): Promise<Record<string, unknown>> {
  if (database.kind === 'postgres') {
    const others =
      "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";
    await waitUntil('the killed process has no connection', async () => (await database.query(others)).length === 0);
  }
  return readColumns(database);
}
