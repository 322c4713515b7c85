// The schema as data: columns, keys and the types of input rows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lockOrder, tablesInLockOrder } from '../../../src/store/engine/lock-order.ts';
import { arrayTypeOf, columnsOf, keyOf, type TableName, tables } from '../../../src/store/engine/schema.ts';

const names = Object.keys(tables) as TableName[];

describe('the schema', () => {
  for (const table of names) {
    it(`the key of ${table} is one of its columns, and is never null`, () => {
      const [key, ...others] = keyOf(table);
      assert.ok(key !== undefined && columnsOf(table).includes(key));
      assert.deepEqual(others, []);
      const columns: Record<string, string> = tables[table].columns;
      assert.doesNotMatch(columns[key] ?? '?', /\?/);
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
