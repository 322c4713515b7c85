// The schema as data: columns, keys and the types of input rows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lockOrder, tablesInLockOrder } from '../../../src/store/engine/lock-order.ts';
import { arrayTypeOf, columnsOf, keyOf, type TableName } from '../../../src/store/engine/schema.ts';
import { tables } from '../../../src/store/engine/tables.ts';

/** Tables with a key of two columns. No operation opens their rows by key. */
const withTwo: readonly TableName[] = ['app_consents', 'file_readers'];

const names = Object.keys(tables) as TableName[];

describe('the schema', () => {
  for (const table of names) {
    it(`the key of ${table} is of its columns, and is never null`, () => {
      const keys = keyOf(table);
      assert.equal(keys.length, withTwo.includes(table) ? 2 : 1);
      const columns: Record<string, string> = tables[table].columns;
      for (const key of keys) {
        assert.ok(columnsOf(table).includes(key));
        assert.doesNotMatch(columns[key] ?? '?', /\?/);
      }
    });
  }

  it('a column of whole numbers is an int8 array, and any other a text array', () => {
    assert.equal(arrayTypeOf('users', 'created_at'), 'int8[]');
    assert.equal(arrayTypeOf('users', 'blocked_at'), 'int8[]');
    assert.equal(arrayTypeOf('users', 'phone'), 'text[]');
    assert.equal(arrayTypeOf('users', 'email'), 'text[]');
  });

  it('every table has its place in the lock order, once', () => {
    assert.deepEqual(tablesInLockOrder.toSorted(), names.toSorted());
    assert.deepEqual(Object.keys(lockOrder), tablesInLockOrder);
  });
});
