// Keys of rows: a row that comes twice, or out of order, is found, whatever the number of its key columns.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeyCheck } from '../../src/backup/row-schema.ts';
import { keptSchema } from '../../src/store/backup/backup-tables.ts';

/** The findings about rows that are given as their keys. */
function findingsOf(table: string, keys: readonly (readonly string[])[]): (string | undefined)[] {
  const schema = keptSchema.find((one) => one.table === table) ?? assert.fail(table);
  const { columns, key } = schema;
  const check = createKeyCheck();
  return keys.map((values) =>
    check(
      { table, columns, schema },
      Object.keys(columns).map((name) => values[key.indexOf(name)] ?? null),
    ),
  );
}

describe('the key of a row', () => {
  it('comes once and in its order, if it is one column', () => {
    assert.deepEqual(findingsOf('users', [['a'], ['b'], ['b'], ['a'], ['c']]), [
      undefined,
      undefined,
      'users has the id “b” twice, or not in its order',
      'users has the id “a” twice, or not in its order',
      undefined,
    ]);
  });

  it('comes once if it is two columns, in the order of the first, and in any order of the second', () => {
    const rows = [
      ['a', 'y'],
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'y'],
      ['b', 'x'],
      ['a', 'z'],
      ['c', 'x'],
      ['c', 'x'],
    ];
    assert.deepEqual(findingsOf('file_readers', rows), [
      undefined,
      undefined,
      'file_readers has the file_id, user_id “a, y” twice, or not in its order',
      undefined,
      undefined,
      'file_readers has the file_id, user_id “a, z” twice, or not in its order',
      undefined,
      'file_readers has the file_id, user_id “c, x” twice, or not in its order',
    ]);
  });

  it('is compared within its table only', () => {
    const check = createKeyCheck();
    for (const name of ['users', 'audit_events']) {
      const schema = keptSchema.find((one) => one.table === name) ?? assert.fail(name);
      assert.equal(check({ table: name, columns: schema.columns, schema }, ['a']), undefined);
    }
  });
});
