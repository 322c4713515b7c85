// The check of the lock order: what it refuses and what it allows.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { lockOrder } from '../../../src/store/engine/lock-order.ts';
import { insert, openRows, remove, update } from '../../../src/store/engine/rows.ts';
import { sql } from '../../../src/store/engine/sql.ts';
import { statement } from '../../../src/store/engine/statement.ts';
import { tables } from '../../../src/store/engine/tables.ts';
import type { Transaction } from '../../../src/store/engine/transaction.ts';
import { type InputOf, type OperationName, type OutputOf, operations } from '../../../src/store/operations/all.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';
import { asFileId, asUploadId, asUserId } from '../../helpers/people/ids.ts';

type Steps = (transaction: Transaction) => Promise<unknown>;

const limit = (id: string) => ({ id, hits: '[]', sweep_at: 1 });

const refused: Readonly<Record<string, readonly [Steps, RegExp]>> = {
  'a table is locked after one that follows it': [
    async (transaction) => {
      await openRows(transaction, 'sessions', 'id', ['a']);
      await openRows(transaction, 'users', 'id', ['a']);
    },
    /users is locked after sessions/,
  ],
  'a delete chooses rows of a table that precedes a locked one': [
    async (transaction) => {
      await openRows(transaction, 'sessions', 'id', ['a']);
      await remove(transaction, 'login_links', [{ token_hash: 'a' }]);
    },
    /login_links is locked after sessions/,
  ],
  'a row is locked after one with a greater key': [
    async (transaction) => {
      const rows = await openRows(transaction, 'limits', 'id', ['a', 'b']);
      for (const id of ['a', 'b']) rows.put(limit(id));
      await rows.save();
      await openRows(transaction, 'limits', 'id', ['b']);
      await openRows(transaction, 'limits', 'id', ['a']);
    },
    /row a of limits is locked after row b/,
  ],
  'rows are updated without a lock': [
    (transaction) => update(transaction, 'limits', [limit('a')], ['hits']),
    /rows of limits are written before they are locked/,
  ],
  'an update chooses rows in no order': [
    (transaction) => {
      const endAll = statement<never>(() => sql`update sessions set ended_at = 1 where user_id = 'a'`);
      return transaction.run(endAll, {});
    },
    /rows of sessions are written before they are locked/,
  ],
  'a row that another node may insert is inserted without a search for it': [
    (transaction) => insert(transaction, 'limits', [limit('a')]),
    /rows of limits are inserted before they are looked for/,
  ],
  'rows are inserted in another order than that of their tables': [
    async (transaction) => {
      const limits = await openRows(transaction, 'limits', 'id', ['a']);
      const captchas = await openRows(transaction, 'captchas', 'id', ['a']);
      limits.put(limit('a'));
      captchas.put({ id: 'a', sweep_at: 1 });
      await captchas.save();
      await limits.save();
    },
    /limits is inserted after captchas/,
  ],
};

const allowed: Readonly<Record<string, Steps>> = {
  'tables in their order, and writes to what is locked': async (transaction) => {
    const limits = await openRows(transaction, 'limits', 'id', ['a', 'b']);
    const captchas = await openRows(transaction, 'captchas', 'id', ['a']);
    limits.put(limit('b'));
    captchas.put({ id: 'a', sweep_at: 1 });
    await Promise.all([limits.save(), captchas.save()]);
    await update(transaction, 'limits', [limit('b')], ['hits']);
    await remove(transaction, 'limits', [{ id: 'b' }]);
  },
  'a fresh row at any time': async (transaction) => {
    await openRows(transaction, 'files', 'id', ['a']);
    await insert(transaction, 'uploads', [
      { id: asUploadId('a'), user_id: asUserId('a'), bytes: 1, key_id: null, sweep_at: 1 },
    ]);
    await insert(transaction, 'receipts', [{ id: 'a', sweep_at: 1 }]);
    await remove(transaction, 'receipts', [{ id: 'a' }]);
  },
};

describe('the check of the lock order', () => {
  for (const [name, [steps, message]] of Object.entries(refused)) {
    it(`the lock check refuses an operation in which ${name}`, async (test) => {
      assert.match(await outcomeOf(test, steps), message);
    });
  }

  for (const [name, steps] of Object.entries(allowed)) {
    it(`the lock check allows ${name}`, async (test) => {
      assert.equal(await outcomeOf(test, steps), 'done');
    });
  }

  it('the lock check refuses a lock in an operation that only reads', async (test) => {
    const steps: Steps = (transaction) => remove(transaction, 'limits', [{ id: 'a' }]);
    assert.match(await outcomeOf(test, steps, 'installations.find'), /a reading operation touches rows of limits/);
  });
});

describe('the lock order', () => {
  it('the lock order contains every table once', () => {
    assert.deepEqual(Object.keys(lockOrder).toSorted(), Object.keys(tables).toSorted());
  });
});

describe('operations without a suite of their own', () => {
  it('the operations of webhooks, blob sweeps, suspensions and the installation keep the lock order', async (test) => {
    const database = openDatabase(test, ['app', 'other']);
    const now = 1_900_000_000_000;
    const by = { actor: 'cli', why: 'a test' } as const;
    const call = async <N extends OperationName>(name: N, ...inputs: InputOf<N>[]): Promise<OutputOf<N>[]> => {
      const outcomes = await database.run(inputs.map((input) => ({ name, input })));
      return outcomes.map((outcome) =>
        'value' in outcome ? outcome.value : assert.fail(String(outcome.error)),
      ) as never;
    };
    const users = ['a', 'b', 'c', 'd'];
    await call(
      'audit.record',
      ...users.map((userId) => ({ kind: 'user.created' as const, userId: asUserId(userId), detail: {}, now })),
    );
    const all = { most: 4, mostOfQueue: 4, after: '', except: [], leaseSeconds: 60 };
    const claims = ['other', 'app'].map((endpoint) => ({ endpoint, now, ...all }));
    const ids = (await call('webhooks.claim', ...claims)).flat().map(({ id }) => id);
    const [first = '', second = '', third = '', fourth = ''] = ids.toReversed();
    assert.equal(ids.length, 8);
    await call('webhooks.finish', { id: first, now }, { id: ids[0] ?? '', now });
    await call('webhooks.retry', { id: second, dueAt: now, error: 'no answer', behind: [] });
    await call('webhooks.release', { ids: [third], dueAt: now });
    await call('webhooks.park', { id: fourth, error: 'gone', now });
    assert.deepEqual(await call('webhooks.queueUp', { endpoint: 'app', now, most: 9 }), [2]);
    const replay = { since: 0, most: 10, endpoints: ['other', 'app', 'new'], now };
    const [replayed] = await call('webhookLog.replay', replay, { ...replay, since: now });
    assert.equal(replayed?.eventIds.length, 4);
    const holder = 'node';
    const [turn] = await call('sweeps.claim', { holder, now }, { holder: 'late', now });
    await call(
      'sweeps.note',
      { ids: [asFileId('b'), asFileId('a')], pass: 1, now },
      { ids: [asFileId('a')], pass: 1, now },
    );
    await call('removals.note', { ids: [asFileId('c'), asFileId('a')], until: now, unused: [asFileId('b')] });
    await call('removals.take', { now, most: 9 });
    await call('removals.end', { ids: [asFileId('c'), asFileId('a')], heldSince: now, now });
    await call('sweeps.forget', [asFileId('c'), asFileId('a')]);
    const step = { holder, pass: turn?.pass ?? 0, from: '', to: undefined, blobs: 1, orphans: 1, missing: 0, now };
    await call('sweeps.advance', step);
    await call('sweeps.recount', { blobs: 1, orphans: 0, missing: 0, now });
    await call('sendRequests.noteSuspension', { rule: 'day', country: 'DE', until: now + 1, now });
    await call('installations.adopt', { id: 'new', before: undefined, by, now });
  });
});

/** Runs the steps as an operation on a database that checks locks. */
async function outcomeOf(
  test: TestContext,
  steps: Steps,
  name: 'installations.claim' | 'installations.find' = 'installations.claim',
): Promise<string> {
  const database = openDatabase(test, []);
  test.mock.method(operations[name], 'run', async (transaction: Transaction) => {
    await steps(transaction);
    return ['done'];
  });
  const [outcome] = await database.run([{ name, input: null }]);
  return outcome !== undefined && 'value' in outcome ? String(outcome.value) : String(outcome?.error);
}

function openDatabase(test: TestContext, endpoints: readonly string[]): SqliteDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-locks-'));
  const database = openSqliteDatabase(join(folder, 'gatehouse.db'), endpoints, true);
  test.after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  database.migrate();
  return database;
}
