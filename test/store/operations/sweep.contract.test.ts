// The sweeper removes expired rows, keeps rows still in use, and never blocks a request.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { columnsOf, type TableName } from '../../../src/store/engine/schema.ts';
import { type SweepTarget, sweepTargets } from '../../../src/store/engine/sweep-targets.ts';
import { tables } from '../../../src/store/engine/tables.ts';
import type { SweepPlace } from '../../../src/store/operations/sweep.ts';
import { sweepOnce } from '../../../src/store/sweeper.ts';
import { day, hour, idAt } from '../../helpers/store/fixtures.ts';
import { onEveryStore, type TestStore } from '../../helpers/store/test-store.ts';
import { withoutRests } from '../../helpers/without-rests.ts';
import { sweepAll } from './sweep-all.ts';

/** Before the machine's own time, which the store uses for receipts. */
const noon = Date.UTC(2021, 4, 5, 12);
const policy = { accessTokenLifeSeconds: 900 };

onEveryStore('the sweeper', (open, kind) => {
  beforeEach(async () => {
    for (const table of Object.keys(tables)) await open().query(`delete from ${table}`);
  });
  /** Columns that are not given are empty. */
  const insert = async (table: TableName, row: Record<string, string | number | null>) => {
    const kinds: Record<string, string> = tables[table].columns;
    const empty = (kind = '') => (kind.endsWith('?') ? 'null' : kind === 'text' ? "''" : '0');
    const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
    const columns = columnsOf(table);
    const values = columns.map((name) => (name in row ? literal(row[name]) : empty(kinds[name])));
    await open().query(`insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`);
  };
  const sweep = async (now = noon) => Object.fromEntries(await sweepAll(open().store, now));
  const sweepBatch = (target: SweepTarget, now = noon, most = 500, after?: SweepPlace) =>
    open().store.call('tables.sweep', { target, now, most, after, ...policy });
  const left = async (table: keyof typeof tables, column: string) =>
    (await open().query(`select ${column} as name from ${table} order by 1`)).map(({ name }) => name);

  const limit = (id: string, sweepAt: number) => insert('limits', { id, hits: '[]', sweep_at: sweepAt });
  const session = (id: string, row: Record<string, string | number> = {}) =>
    insert('sessions', { id, ends_at: noon + day, ...row });

  it('the sweeper removes rows whose own sweep time has passed', async () => {
    const keys = {
      challenges: 'slot',
      login_links: 'token_hash',
      notice_links: 'token_hash',
      limits: 'id',
      captchas: 'id',
      idempotency_keys: 'id',
      uploads: 'id',
      file_links: 'id',
      receipts: 'id',
    } as const;
    const times = { over: noon - 1, now: noon, later: noon + hour };
    for (const [table, key] of Object.entries(keys) as [keyof typeof keys, string][]) {
      for (const [name, at] of Object.entries(times)) await insert(table, { [key]: name, sweep_at: at });
    }
    assert.deepEqual(await sweep(), {
      challenges: 1,
      loginLinks: 1,
      noticeLinks: 1,
      limits: 1,
      captchas: 1,
      idempotencyKeys: 1,
      uploads: 1,
      fileLinks: 1,
      receipts: 1,
    });
    for (const [table, key] of Object.entries(keys) as [keyof typeof keys, string][]) {
      const names = (await left(table, key)).filter((name) => String(name) in times);
      assert.deepEqual(names, ['later', 'now'], table);
    }
  });

  it('the sweeper keeps an ended session until its last access token has expired everywhere', async () => {
    const end = noon - 900_000 - hour;
    const [gone, kept, alive] = [idAt(noon - day), idAt(noon - day), idAt(noon - day)];
    await session(gone, { ended_at: end - 1 });
    await session(kept, { ended_at: end });
    await session(alive);
    assert.deepEqual(await sweep(), { endedSessions: 1 });
    assert.deepEqual(await left('sessions', 'id'), [kept, alive].toSorted());
  });

  it('the sweeper removes a session whose last access token has expired after its absolute end, ended or not', async () => {
    const end = noon - 900_000 - hour;
    const [gone, kept, longer, ended] = [idAt(0), idAt(0), idAt(0), idAt(0)];
    await session(gone, { ends_at: end - 1 });
    await session(kept, { ends_at: end });
    await session(longer);
    await session(ended, { ends_at: end - 1, ended_at: end });
    assert.deepEqual(await sweep(), { oldSessions: 2 });
    assert.deepEqual(await left('sessions', 'id'), [kept, longer].toSorted());
  });

  it('the sweeper records the last use of sessions with their user before it removes them', async () => {
    const over = { ended_at: noon - day, last_used_at: noon - 2 * day };
    const users: [id: string, row: Record<string, number>, expected: number | null][] = [
      ['older', { seen_at: noon - 9 * day }, noon - day],
      ['never', { created_at: noon - 9 * day }, noon - day],
      ['newer', { seen_at: noon - hour }, noon - hour],
    ];
    for (const [id, row] of users) {
      await insert('users', { id, phone: id, ...row });
      await session(idAt(noon - day), { ...over, user_id: id });
      await session(idAt(noon - day), { ...over, user_id: id, last_used_at: noon - day });
    }
    await session(idAt(noon - day), { ...over, user_id: 'deleted' });
    const born = noon - 181 * day;
    await insert('users', { id: 'expired', phone: 'expired', seen_at: born });
    await session(idAt(born), { user_id: 'expired', ends_at: noon - 2 * hour, last_used_at: noon - 30 * day });
    assert.deepEqual(await sweep(), { endedSessions: 7, oldSessions: 1 });
    assert.deepEqual(await left('sessions', 'id'), []);
    const seen = await open().query('select id, seen_at from users');
    assert.deepEqual(Object.fromEntries(seen.map(({ id, seen_at }) => [String(id), Number(seen_at)])), {
      ...Object.fromEntries(users.map(([id, , expected]) => [id, expected])),
      expired: noon - 30 * day,
    });
  });

  it('the sweeper records and removes sessions in small batches', async () => {
    const many = Array.from({ length: 700 }, (_, index) => index);
    for (const id of ['ann', 'ben']) await insert('users', { id, phone: id, seen_at: 1 });
    const columns = columnsOf('sessions').join(', ');
    const kinds: Record<string, string> = tables.sessions.columns;
    const values = many.map((index) => {
      const row: Record<string, string> = {
        id: `'${idAt(noon - day)}'`,
        user_id: index % 2 === 0 ? "'ann'" : "'ben'",
        ended_at: String(noon - day),
        ends_at: String(noon + day),
        last_used_at: String(index),
      };
      return `(${columnsOf('sessions')
        .map((name) => row[name] ?? (kinds[name]?.endsWith('?') ? 'null' : kinds[name] === 'text' ? "''" : '0'))
        .join(', ')})`;
    });
    await open().query(`insert into sessions (${columns}) values ${values.join(', ')}`);
    assert.deepEqual(await sweepBatch('endedSessions'), { removed: 500, next: noon - day });
    assert.deepEqual(await sweep(), { endedSessions: 200 });
    const seen = await open().query('select seen_at from users order by id');
    assert.deepEqual(
      seen.map(({ seen_at }) => Number(seen_at)),
      [698, 699],
    );
  });

  it('the sweeper keeps a session whose user a request holds, without waiting, and removes it in the next round', {
    skip: kind !== 'postgres',
  }, async () => {
    const over = { ended_at: noon - day, last_used_at: noon - day };
    for (const id of ['busy', 'idle', 'known'])
      await insert('users', { id, phone: id, seen_at: id === 'known' ? noon : 1 });
    const [busy, idle, known] = [idAt(noon - day), idAt(noon - day), idAt(noon - day)];
    await session(busy, { ...over, user_id: 'busy' });
    await session(idle, { ...over, user_id: 'idle' });
    await session(known, { ...over, user_id: 'known' });
    const client = new pg.Client({ connectionString: open().address });
    await client.connect();
    await client.query('begin');
    await client.query("select * from users where id in ('busy', 'known') for update");
    const swept = sweepBatch('endedSessions');
    const first = await Promise.race([swept, sleep(10_000, 'waits', { ref: false })]);
    await client.query('commit');
    await client.end();
    assert.deepEqual(first, { removed: 2, next: undefined });
    assert.deepEqual(await left('sessions', 'id'), [busy]);
    assert.deepEqual(await sweep(), { endedSessions: 1 });
    const [seen] = await open().query("select seen_at from users where id = 'busy'");
    assert.equal(Number(seen?.seen_at), noon - day);
  });

  it('the sweeper keeps the two newest signing keys whatever their age', async () => {
    const key = (generation: number, age: number) =>
      insert('signing_keys', { generation, id: `k${generation}`, active_from: noon - age * day });
    for (const [generation, age] of [
      [1, 200],
      [2, 62],
      [3, 61],
      [4, 200],
      [5, 200],
    ] as const)
      await key(generation, age);
    assert.deepEqual(await sweep(), { signingKeys: 2 });
    assert.deepEqual(await left('signing_keys', 'generation'), [3, 4, 5]);
  });

  it('the sweeper removes inbox and parked messages after a week and audit events after ninety days', async () => {
    const week = noon - 7 * day;
    const quarter = noon - 90 * day;
    const [old, young] = [idAt(week - 1), idAt(week)];
    const [older, newer] = [idAt(quarter - 1), idAt(quarter)];
    for (const id of [old, young]) {
      await insert('inbox', { id });
      await insert('outbox', { id, state: 'parked' });
    }
    const queued = idAt(week - 1);
    await insert('outbox', { id: queued, state: 'queued' });
    for (const id of [older, newer]) await insert('audit_events', { id });
    assert.deepEqual(await sweep(), { inbox: 1, parked: 1, auditEvents: 1 });
    assert.deepEqual(await left('inbox', 'id'), [young]);
    assert.deepEqual(await left('outbox', 'id'), [queued, young].toSorted());
    assert.deepEqual(await left('audit_events', 'id'), [newer]);
  });

  it('the sweeper never removes users, files or their counts', async () => {
    await insert('users', { id: idAt(0) });
    await insert('file_usage', { user_id: idAt(0) });
    await insert('files', { id: idAt(0) });
    assert.deepEqual(await sweep(), {});
  });

  it('the sweeper removes rows in small batches, and all of them in one round', async () => {
    const many = Array.from({ length: 1234 }, (_, index) => `('limit ${index}', '[]', ${noon - 1})`);
    await open().query(`insert into limits (id, hits, sweep_at) values ${many.join(', ')}`);
    assert.deepEqual(await sweepBatch('limits'), { removed: 500, next: noon - 1 });
    assert.deepEqual(await sweep(), { limits: 734 });
    assert.deepEqual(await left('limits', 'id'), []);
  });

  it('the sweeper removes the oldest rows first, and goes on where the last batch ended', async () => {
    for (const at of [5, 1, 4, 2, 3]) await limit(`limit ${at}`, at);
    assert.deepEqual(await sweepBatch('limits', noon, 2), { removed: 2, next: 2 });
    assert.deepEqual(await left('limits', 'id'), ['limit 3', 'limit 4', 'limit 5']);
    assert.deepEqual(await sweepBatch('limits', noon, 2, 4), { removed: 2, next: 5 });
    assert.deepEqual(await left('limits', 'id'), ['limit 3']);
  });

  it('a table that cannot be swept is named, and all others are swept', async () => {
    const over = { ended_at: noon - day, last_used_at: noon - day };
    await limit('broken', noon - 1);
    await session(idAt(0), over);
    await insert('audit_events', { id: idAt(noon - 91 * day) });
    await breakDeletions(open(), 'limits');
    const swept: SweepTarget[] = [];
    const failed: SweepTarget[] = [];
    const store = { ...open().store, clock: { now: () => noon } };
    await sweepOnce(store, policy, withoutRests(), {
      onSwept: (target) => void swept.push(target),
      onFailure: (target) => void failed.push(target),
    });
    await mendDeletions(open(), 'limits');
    assert.deepEqual({ swept, failed }, { swept: ['endedSessions', 'auditEvents'], failed: ['limits'] });
    assert.deepEqual(await sweep(), { limits: 1 });
  });

  it('every sweep target removes nothing from an empty store', async () => {
    for (const target of sweepTargets) {
      assert.deepEqual(await sweepBatch(target, 0), { removed: 0, next: undefined });
    }
  });

  it('the sweeper skips a row that a request is updating, without waiting for it', {
    skip: kind !== 'postgres',
  }, async () => {
    await limit('busy', noon - 1);
    await limit('idle', noon - 1);
    const client = new pg.Client({ connectionString: open().address });
    await client.connect();
    await client.query('begin');
    await client.query(`update limits set hits = '[1]', sweep_at = ${noon + day} where id = 'busy'`);
    const swept = sweepBatch('limits');
    // A call that waits for the lock would be refused long before.
    const first = await Promise.race([swept, sleep(10_000, 'waits', { ref: false })]);
    await client.query('commit');
    await client.end();
    assert.deepEqual(first, { removed: 1, next: undefined });
    assert.deepEqual(await left('limits', 'id'), ['busy']);
  });
});

/** Every deletion from the table fails. */
async function breakDeletions({ kind, query }: TestStore, table: TableName): Promise<void> {
  const on = `before delete on ${table}`;
  if (kind === 'sqlite') {
    await query(`create trigger broken ${on} begin select raise(abort, 'broken'); end`);
    return;
  }
  await query(`create function broken() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`);
  await query(`create trigger broken ${on} for each row execute function broken()`);
}

async function mendDeletions({ kind, query }: TestStore, table: TableName): Promise<void> {
  await query(kind === 'sqlite' ? 'drop trigger broken' : `drop trigger broken on ${table}`);
  if (kind === 'postgres') await query('drop function broken()');
}
