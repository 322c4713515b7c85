// The SQL tag: text, parameters in their order on each database, and only names of the schema.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile, sql } from '../../../src/store/engine/sql.ts';
import { statement } from '../../../src/store/engine/statement.ts';

describe('the SQL tag', () => {
  const one = sql.parameter((args) => args.one);
  const two = sql.parameter((args) => args.two);

  it('the SQL tag writes numbered parameters for PostgreSQL and question marks for SQLite, bound in the order of the text', () => {
    const inner = sql`b = ${two} and c = ${one}`;
    const whole = sql`select a from t where a = ${one} and (${inner})`;
    const args = { one: 1, two: '2' };
    const postgres = compile(whole, 'postgres');
    assert.equal(postgres.text, 'select a from t where a = $1 and (b = $2 and c = $3)');
    const sqlite = compile(whole, 'sqlite');
    assert.equal(sqlite.text, 'select a from t where a = ? and (b = ? and c = ?)');
    for (const { parameters } of [postgres, sqlite])
      assert.deepEqual(
        parameters.map((parameter) => parameter(args, 0)),
        [1, '2', 1],
      );
  });

  it('sql.join joins parts, and an empty list', () => {
    assert.equal(compile(sql.join([sql`a`, one, sql`b`]), 'sqlite').text, 'a, ?, b');
    assert.equal(compile(sql.join([sql`a`, sql`b`], sql` and `), 'sqlite').text, 'a and b');
    assert.equal(compile(sql.join([]), 'sqlite').text, '');
  });

  it('sql.table and sql.ref quote names of the schema and refuse others', () => {
    assert.equal(compile(sql`${sql.table('users')} ${sql.ref('email_key')}`, 'sqlite').text, '"users" "email_key"');
    assert.equal(compile(sql.ref('sessions.user_id'), 'sqlite').text, '"sessions"."user_id"');
    assert.equal(compile(sql.ref('input.id'), 'sqlite').text, '"input"."id"');
    for (const name of ['', 'emial', 'id"; drop table users; --', 'users.id"', 'users.', 'ID'])
      assert.throws(() => sql.ref(name), /the schema has no/, name);
  });

  it('sql.lit writes constants that cannot end their quotes', () => {
    assert.equal(compile(sql.lit("it's; --"), 'sqlite').text, "'it''s; --'");
    assert.equal(compile(sql.lit(12), 'sqlite').text, '12');
  });
});

describe('a statement', () => {
  const found = statement<never>(
    ({ rows, isAmong, value }) =>
      sql`select 1 from ${rows('rows', 'sessions', ['id', 'ended_at'])} as input, sessions
        where ${isAmong('sessions', 'id', 'rows')} and counter = ${value('counter')}`,
  );
  const args = {
    rows: [
      { id: 'a', ended_at: 1 },
      { id: 'b', ended_at: null },
    ],
    counter: 7,
  };

  it('a statement has one text and one name per database, however often it is used', () => {
    assert.equal(found.on('sqlite'), found.on('sqlite'));
    assert.notEqual(found.on('sqlite').name, found.on('postgres').name);
  });

  it('a statement for one row on SQLite has a parameter for each of its columns, and takes them from any of the rows', () => {
    const one = found.onOne();
    assert.equal(one, found.onOne());
    assert.match(one.text, /from \(select \? as "id", \? as "ended_at"\) as input/);
    assert.match(one.text, /where "sessions"\."id" = \? and counter = \?$/);
    assert.deepEqual(one.bind(args), ['a', 1, 'a', 7]);
    assert.deepEqual(one.bind(args, 1), ['b', null, 'b', 7]);
    assert.deepEqual(found.inputs(), ['rows']);
  });

  it('a statement sends rows as arrays to PostgreSQL and as one JSON text to SQLite', () => {
    const postgres = found.on('postgres');
    assert.match(postgres.text, /unnest\(\$1::text\[\], \$2::int8\[\]\) as t\("id", "ended_at"\)/);
    assert.match(postgres.text, /"sessions"\."id" = any\(\$3::text\[\]\) and counter = \$4$/);
    assert.deepEqual(postgres.bind(args), [['a', 'b'], [1, null], ['a', 'b'], 7]);
    const sqlite = found.on('sqlite');
    assert.match(sqlite.text, /select value ->> 0 as "id", value ->> 1 as "ended_at" from json_each\(\?\)/);
    assert.deepEqual(sqlite.bind(args), ['[["a",1],["b",null]]', '["a","b"]', 7]);
  });
});
