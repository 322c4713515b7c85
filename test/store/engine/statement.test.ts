// The tools of statements: locks, orders and input rows, on each database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../src/store/engine/sql.ts';
import { statement, type Tools } from '../../../src/store/engine/statement.ts';

type Build = (tools: Tools) => ReturnType<typeof sql>;

const textOf = (build: Build, dialect: 'sqlite' | 'postgres') =>
  statement<never>(build).on(dialect).text.replaceAll(/\s+/g, ' ');

describe('the tools of a statement', () => {
  for (const [what, build, postgres, sqlite] of [
    ['a lock', ({ lock }) => lock(), 'for update', ''],
    ['a lock that skips', ({ lock }) => lock('skip'), 'for update skip locked', ''],
    ['all columns', ({ all }) => all('captchas'), '"id", "sweep_at"', '"id", "sweep_at"'],
    ['the order of a text key', ({ keyOrder }) => keyOrder('users'), `"users"."id" || ''`, `"users"."id" || ''`],
    [
      'the order of a numeric key',
      ({ keyOrder }) => keyOrder('signing_keys'),
      '"signing_keys"."generation" + 0',
      '"signing_keys"."generation" + 0',
    ],
    [
      'rows among the input',
      ({ isAmong }) => isAmong('users', 'id', 'wanted'),
      '"users"."id" = any($1::text[])',
      '"users"."id" in (select value from json_each(?))',
    ],
    [
      'rows that are locked in key order',
      ({ lockedWhere }) => lockedWhere('users', sql`${sql.ref('created_at')} < 5`),
      `"users"."id" = any(array(select "users"."id" from "users" where "created_at" < 5 order by "users"."id" || '' for update))`,
      '"created_at" < 5',
    ],
  ] as [string, Build, string, string][]) {
    it(`${what} is written for each database`, () => {
      assert.equal(textOf(build, 'postgres'), postgres);
      assert.equal(textOf(build, 'sqlite'), sqlite);
    });
  }

  it('the dialect is given, and the statement is built once for each', () => {
    const built: string[] = [];
    const found = statement<never>(({ dialect }) => {
      built.push(dialect);
      return sql`select 1`;
    });
    for (const dialect of ['sqlite', 'postgres', 'sqlite', 'postgres'] as const) found.on(dialect);
    assert.deepEqual(built, ['sqlite', 'postgres']);
  });

  it('the number of parameters does not depend on the number of rows', () => {
    const found = statement<never>(({ rows }) => rows('rows', 'captchas', ['id', 'sweep_at']));
    for (const count of [0, 1, 100]) {
      const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}`, sweep_at: index }));
      assert.equal(found.on('postgres').bind({ rows }).length, 2);
      assert.equal(found.on('sqlite').bind({ rows }).length, 1);
    }
  });

  it('a missing value is null on both databases', () => {
    const found = statement<never>(({ rows }) => rows('rows', 'captchas', ['id', 'sweep_at']));
    assert.deepEqual(found.on('postgres').bind({ rows: [{ id: 'a' }] }), [['a'], [null]]);
    assert.deepEqual(found.on('sqlite').bind({ rows: [{ id: 'a' }] }), ['[["a",null]]']);
    assert.deepEqual(found.onOne().bind({ rows: [{ id: 'a' }] }), ['a', null]);
  });
});
