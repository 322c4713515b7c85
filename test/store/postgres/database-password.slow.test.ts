// A new password of the role, under load, while every connection is cut: calls wait until the file has it too, and none fails.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgresServer } from '../../helpers/databases/postgres-server.ts';
import { undoAfter } from '../../helpers/faults/undo.ts';
import { call, newPhone, type Pair, refresh, sendOtp, signIn } from '../../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse } from '../../helpers/services/gatehouse.ts';
import { noSendLimits } from '../../helpers/services/no-send-limits.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const users = 6;
const rotations = 3;

it('the password of the database changes under load with every connection cut, and no request fails', async (test) => {
  const undo = undoAfter(test);
  const postgres = await startPostgresServer();
  undo(() => postgres.end());
  const direct = new pg.Client({ connectionString: postgres.url });
  await direct.connect();
  undo(() => direct.end());
  const rules = join(postgres.data, 'pg_hba.conf');
  writeFileSync(rules, `host all gatehouse 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  await direct.query("create role gatehouse login password 'first'");
  await direct.query('create database gatehouse owner gatehouse');
  await direct.query('select pg_reload_conf()');

  // The load sends more codes than one user may.
  const { env, dispose } = await isolatedEnv('sqlite', noSendLimits);
  undo(dispose);
  const file = join(env.DATA_DIR ?? '', 'database-url');
  const write = (password: string) =>
    writeFileSync(file, `postgres://gatehouse:${password}@127.0.0.1:${postgres.port}/gatehouse\n`);
  write('first');
  const service = await spawnGatehouse({ ...env, DATABASE_URL_FILE: file });
  undo(() => service.stop('SIGKILL'));

  const statuses = new Map<string, number>();
  let isOver = false;
  const note = (what: string, { status }: { readonly status: number }) => {
    const key = `${what} ${status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  };
  const load = Array.from({ length: users }, async () => {
    let pair: Pair = await signIn(service.url, newPhone());
    while (!isOver) {
      const renewed = await refresh(service.url, pair.RT);
      note('refresh', renewed);
      if (renewed.status === 200) pair = renewed.body.data as Pair;
      note('me', await call(service.url, 'GET', '/api/auth/me', { token: pair.JWT }));
      note('send', await sendOtp(service.url, newPhone()));
    }
  });
  const total = () => statuses.values().reduce((sum, count) => sum + count, 0);
  const untilMore = async (count: number) => {
    const before = total();
    await waitUntil(`${count} more answers`, () => total() > before + count);
  };
  await untilMore(50);
  for (let round = 1; round <= rotations; round++) {
    const password = `password number ${round}/@`;
    await direct.query(`alter role gatehouse password '${password}'`);
    await direct.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gatehouse'");
    // Whoever changes the password needs a moment from the one to the other.
    await sleep(300);
    write(encodeURIComponent(password));
    await untilMore(50);
  }
  isOver = true;
  await Promise.all(load);
  test.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
  assert.deepEqual([...statuses.keys()].toSorted(), ['me 200', 'refresh 200', 'send 200']);
  const { rows } = await direct.query("select count(*)::int as open from pg_stat_activity where usename = 'gatehouse'");
  assert.ok(Number(rows[0]?.open) > 0);
  // The thread that delivers has connections of its own.
  const inbox = new pg.Client({ connectionString: postgres.url.replace(/postgres$/, 'gatehouse') });
  await inbox.connect();
  undo(() => inbox.end());
  const sent = (statuses.get('send 200') ?? 0) + users;
  await waitUntil('every message to arrive', async () => {
    const { rows: [row] = [] } = await inbox.query('select count(*)::int as count from inbox');
    return row?.count >= sent;
  });
});
