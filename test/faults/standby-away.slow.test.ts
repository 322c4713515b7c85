// The synchronous standby of a PostgreSQL is away for longer than the grace period: refreshes are committed on the primary and answered
// 503, clients repeat them on two nodes, and nobody is signed out. With default settings; the clock is handed in.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addStandby, connect, startPrimary } from '../helpers/databases/postgres-pair.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { enter, outcomeOf } from '../helpers/people/users.ts';
import { newPhone, type Pair, refresh } from '../helpers/requests/api.ts';
import { createTestClock, isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const users = 40;

describe('a synchronous standby that is away', () => {
  it('clients that refresh while the synchronous standby is away stay signed in', async (test) => {
    const undo = undoAfter(test);
    const primary = await startPrimary();
    undo(primary.end);
    const standby = await addStandby(primary);
    undo(standby.end);
    const { env, dispose } = await isolatedEnv('sqlite', { DATABASE_URL: primary.url });
    undo(dispose);
    const clock = createTestClock();
    const urls: string[] = [];
    for (const PORT of [env.PORT ?? '', String(await freePort())]) {
      const node = await startGatehouse({ ...env, PORT }, clock);
      undo(node.stop);
      urls.push(node.url);
    }
    const [first = '', second = ''] = urls;
    const client = await connect(primary);
    undo(() => client.end());
    const count = async (what: string) => {
      const { rows } = await client.query<{ count: string }>(`select count(*) from sessions where ${what}`);
      return Number(rows[0]?.count);
    };
    const signedIn: Pair[] = await Promise.all(Array.from({ length: users }, () => enter(first, newPhone())));
    const refreshAll = (url: string) => Promise.all(signedIn.map(({ RT }) => refresh(url, RT)));
    const answersOf = async (url: string) => [...new Set((await refreshAll(url)).map(outcomeOf))];

    await standby.stop('immediate');
    assert.deepEqual(await answersOf(first), ['503 SERVICE_UNAVAILABLE']);
    clock.advance(45);
    assert.deepEqual(await answersOf(second), ['503 SERVICE_UNAVAILABLE']);
    await standby.start();
    const following = "select 1 from pg_stat_replication where sync_state = 'sync'";
    await waitUntil('the standby follows', async () => (await client.query(following)).rows.length > 0);
    // What was answered 503 had been committed, with the time of the first call.
    await waitUntil('the commits that waited', async () => (await count('counter = 1')) === users);

    const renewed = await refreshAll(first);
    assert.deepEqual([...new Set(renewed.map(outcomeOf))], ['200']);
    const next = await Promise.all(renewed.map(({ body }) => refresh(second, body.data.RT)));
    assert.deepEqual([...new Set(next.map(outcomeOf))], ['200']);
    assert.equal(await count('ended_at is not null'), 0);
    assert.equal(await count('counter = 2'), users);
    test.diagnostic(`the standby was away for 45 s: ${users} users refreshed, 0 were signed out`);
  });
});
