// Rows in memory: loaded once, changed, and saved in as few statements as possible, in the same order on every node.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserId } from '../../../src/kernel/ids.ts';
import { insert, listBy, openRows, remove, update } from '../../../src/store/engine/rows.ts';
import type { Row } from '../../../src/store/engine/schema.ts';
import type { Args } from '../../../src/store/engine/sql.ts';
import type { Statement } from '../../../src/store/engine/statement.ts';
import type { Transaction } from '../../../src/store/engine/transaction.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { makeUserRow } from '../../helpers/people/user.ts';

/** What is updated, or the first words of any other statement. */
function headOf(text: string): string {
  const [update = ''] = text.split(' from ');
  return text.startsWith('update') ? update : text.split(' ').slice(0, 5).join(' ');
}

type Said = readonly [text: string, args: Args];

/** Answers every question with the given rows, and writes down what is asked and run. */
function createTransaction(rows: readonly unknown[] = [], reads = false) {
  const said: Said[] = [];
  const note = (statement: Statement<unknown>, args: Args) => {
    said.push([headOf(statement.on('postgres').text), args]);
  };
  const transaction: Transaction = {
    dialect: 'postgres',
    reads,
    endpoints: [],
    all: async <Result>(statement: Statement<Result>, args: Args) => {
      note(statement, args);
      return rows as Result[];
    },
    run: async (statement, args) => note(statement, args),
  };
  return { transaction, said };
}

const user = (id: UserId, changes: Partial<Row<'users'>> = {}) =>
  makeUserRow({ id, phone: asPhone(`+${id}`), ...changes });

describe('rows in memory', () => {
  it('each wanted value is asked for once, in one statement, and nothing is asked for nothing', async () => {
    const { transaction, said } = createTransaction();
    await openRows(transaction, 'users', 'id', ['a', 'b', 'a', null, undefined]);
    assert.deepEqual(
      said.map(([, args]) => args),
      [{ wanted: [{ id: 'a' }, { id: 'b' }] }],
    );
    await openRows(transaction, 'users', 'id', [null, undefined]);
    assert.equal(said.length, 1);
  });

  it('a writing operation locks what it loads, and a reading one does not', async () => {
    const texts: string[] = [];
    for (const reads of [false, true]) {
      const { transaction } = createTransaction([], reads);
      const all: Transaction['all'] = async (statement) => {
        texts.push(statement.on('postgres').text);
        return [];
      };
      await openRows({ ...transaction, all }, 'users', 'phone', ['+a']);
    }
    assert.match(texts[0] ?? '', /order by "users"."id" \|\| '' for update$/);
    assert.doesNotMatch(texts[1] ?? '', /for update/);
  });

  it('rows are found by the column that they were opened by, also new ones', async () => {
    const { transaction } = createTransaction([user(asUserId('a'))]);
    const rows = await openRows(transaction, 'users', 'phone', ['+a', '+b']);
    assert.deepEqual(rows.get('+a'), user(asUserId('a')));
    assert.equal(rows.get('+b'), undefined);
    assert.equal(rows.get(null), undefined);
    rows.put(user(asUserId('b')));
    assert.deepEqual(rows.get('+b'), user(asUserId('b')));
  });

  it('a save without changes says nothing', async () => {
    const { transaction, said } = createTransaction([user(asUserId('a'))]);
    const rows = await openRows(transaction, 'users', 'id', ['a']);
    said.length = 0;
    await rows.save();
    rows.put(user(asUserId('a')));
    await rows.save();
    assert.deepEqual(said, []);
  });

  it('new rows are inserted in their order, and changed ones updated in the changed columns only', async () => {
    const { transaction, said } = createTransaction([user(asUserId('a')), user(asUserId('b'))]);
    const rows = await openRows(transaction, 'users', 'id', ['a', 'b', 'c', 'd']);
    said.length = 0;
    for (const row of [
      user(asUserId('d')),
      user(asUserId('b'), { blocked_at: 5 }),
      user(asUserId('c')),
      user(asUserId('a'), { blocked_at: 6 }),
    ])
      rows.put(row);
    await rows.save();
    assert.deepEqual(said, [
      ['insert into "users" ("id", "phone",', { rows: [user(asUserId('c')), user(asUserId('d'))] }],
      [
        'update "users" set "blocked_at" = "input"."blocked_at"',
        { rows: [user(asUserId('a'), { blocked_at: 6 }), user(asUserId('b'), { blocked_at: 5 })] },
      ],
    ]);
  });

  it('a column that differs in one row is written for all rows of the statement', async () => {
    const { transaction, said } = createTransaction([user(asUserId('a')), user(asUserId('b'))]);
    const rows = await openRows(transaction, 'users', 'id', ['a', 'b']);
    said.length = 0;
    rows.put(user(asUserId('a'), { email: asEmail('x') }));
    rows.put(user(asUserId('b'), { blocked_at: 5 }));
    await rows.save();
    assert.deepEqual(
      said.map(([text]) => text),
      ['update "users" set "email" = "input"."email", "blocked_at" = "input"."blocked_at"'],
    );
  });

  it('the last of several changes of a row is saved', async () => {
    const { transaction, said } = createTransaction([]);
    const rows = await openRows(transaction, 'users', 'id', ['a']);
    said.length = 0;
    rows.put(user(asUserId('a'), { blocked_at: 1 }));
    rows.put(user(asUserId('a'), { blocked_at: 2 }));
    await rows.save();
    assert.deepEqual(
      said.map(([, args]) => args),
      [{ rows: [user(asUserId('a'), { blocked_at: 2 })] }],
    );
  });

  it('in another order, each changed row gets a statement of its own', async () => {
    const { transaction, said } = createTransaction([
      user(asUserId('a'), { phone: asPhone('+2') }),
      user(asUserId('b'), { phone: asPhone('+1') }),
    ]);
    const rows = await openRows(transaction, 'users', 'id', ['a', 'b']);
    said.length = 0;
    rows.put(user(asUserId('a'), { phone: asPhone('+2'), blocked_at: 5 }));
    rows.put(user(asUserId('b'), { phone: asPhone('+1'), blocked_at: 5 }));
    await rows.save('phone');
    assert.deepEqual(
      said.map(([, { rows: saved }]) => (saved as Row<'users'>[]).map(({ id }) => id)),
      [['b'], ['a']],
    );
  });
});

describe('statements over many rows', () => {
  it('nothing is said for no rows, no columns or no values', async () => {
    const { transaction, said } = createTransaction();
    await insert(transaction, 'users', []);
    await update(transaction, 'users', [], ['phone']);
    await update(transaction, 'users', [user(asUserId('a'))], []);
    await remove(transaction, 'users', []);
    assert.deepEqual(await listBy(transaction, 'users', 'id', []), []);
    assert.deepEqual(said, []);
  });

  it('a list asks for each value once, without a lock', async () => {
    const { transaction, said } = createTransaction([user(asUserId('a'))]);
    assert.deepEqual(await listBy(transaction, 'users', 'id', ['a', 'a']), [user(asUserId('a'))]);
    assert.deepEqual(said[0]?.[1], { wanted: [{ id: 'a' }] });
    assert.match(said[0]?.[0] ?? '', /^select "id", "phone"/);
  });

  it('rows are removed by their keys', async () => {
    const { transaction, said } = createTransaction();
    await remove(transaction, 'captchas', [{ id: 'a' }, { id: 'b' }]);
    assert.match(said[0]?.[0] ?? '', /^delete from "captchas" where "captchas"."id"/);
    assert.deepEqual(said[0]?.[1], { rows: [{ id: 'a' }, { id: 'b' }] });
  });
});
