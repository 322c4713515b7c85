// The sweep finds the rows of every target by an index, from the oldest on: PostgreSQL reads no row that stays, and sorts nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type SweepTarget, sweepTargets } from '../../../src/store/engine/sweep-targets.ts';
import { alongIndexes, searchOf } from '../../../src/store/operations/sweep.ts';
import { createMigratedDatabase, type TestDatabase } from '../../helpers/databases/databases.ts';

type Plan = {
  readonly 'Node Type': string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};

const rows = 2000;
const now = Date.UTC(2026, 0, 1);
const values = {
  now,
  most: 100,
  sessionBefore: now,
  inboxBefore: 'f',
  parkedBefore: 'f',
  auditBefore: 'f',
  oldWebhooksBefore: 'f',
  webhooksBefore: now,
  firstDay: 99_999,
  adminBefore: now,
  serviceKeyBefore: now,
  keyBefore: now,
};
/** Sessions that are old by their ids, and have not reached their end. */
const staying = [
  `insert into sessions (id, user_id, seed_hash, counter, rotated_at, created_at, last_used_at, expires_at, ends_at, method)
   select 'a ' || i, 'u' || i, '', 0, 0, 0, 0, 0, ${now} + i, 'sms' from generate_series(1, ${rows}) i`,
  `insert into sessions (id, user_id, seed_hash, counter, rotated_at, created_at, last_used_at, expires_at, ends_at, ended_at, method)
   select 'b ' || i, 'u' || i, '', 0, 0, 0, 0, 0, ${now} + i, ${now} + i, 'sms' from generate_series(1, ${rows}) i`,
  `insert into limits select 'l ' || i, '[]', ${now} + i from generate_series(1, ${rows}) i`,
];

describe('the plans of the sweep', () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await createMigratedDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('set enable_seqscan = off');
    for (const text of staying) await client.query(text);
    await client.query('begin');
    await client.query(alongIndexes.on('postgres').text);
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  const planOf = async (target: SweepTarget): Promise<Plan> => {
    const { statement, column } = searchOf(target);
    const isText = column === 'id';
    const { text, bind } = statement.on('postgres');
    const explained = {
      text: `explain (analyze, format json) ${text}`,
      values: bind({ ...values, after: isText ? '' : 0 }),
    };
    const { rows: found } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained);
    const plan = found[0]?.['QUERY PLAN'][0];
    assert.ok(plan);
    return plan.Plan;
  };

  for (const target of sweepTargets)
    it(`the sweep of ${target} reads along an index`, async () => {
      const all = nodesOf(await planOf(target), []);
      const kinds = all.map((node) => node['Node Type']);
      assert.deepEqual(
        kinds.filter((kind) => /Seq Scan|Sort/.test(kind)),
        [],
      );
      const { column } = searchOf(target);
      const along = all.filter((node) => node['Index Cond']?.includes(`${column} >= `));
      assert.equal(along.length, 1, JSON.stringify(all, undefined, 1));
      assert.ok(along[0]?.['Index Cond']?.includes(`${column} < `), JSON.stringify(along));
      assert.equal(along[0]?.['Rows Removed by Filter'] ?? 0, 0);
    });
});

function nodesOf(plan: Plan, found: Plan[]): Plan[] {
  found.push(plan);
  for (const each of plan.Plans ?? []) nodesOf(each, found);
  return found;
}
