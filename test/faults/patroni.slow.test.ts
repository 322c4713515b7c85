// The recipe with Patroni and etcd under a service with default settings: failover, switchover, a primary that nobody watches, a split network.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { undoAfter } from '../helpers/faults/undo.ts';
import { codeIn, outcomeOf } from '../helpers/people/users.ts';
import { call, newPhone, sendOtp } from '../helpers/requests/api.ts';
import { isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { type Machine, missingForPatroni, startPatroni } from './rig/patroni.ts';

const why = missingForPatroni();
if (why !== undefined) console.log(`skipped: no cluster with Patroni is tested, because ${why}`);

describe('a cluster with Patroni', { skip: why !== undefined }, () => {
  it('loses no confirmed user in a failover, a switchover, without its watchman, and in a split network', async (test) => {
    const undo = undoAfter(test);
    const cluster = await startPatroni(undo);
    let leader = await cluster.untilWhole();
    const place = await isolatedEnv('sqlite', { DATABASE_URL: cluster.url });
    undo(place.dispose);
    const node = await startGatehouse(place.env);
    undo(node.stop);

    const confirmed: string[] = [];
    let isOver = false;
    const working = [1, 2].map(async () => {
      while (!isOver) {
        const phone = await register(node.url);
        if (phone !== undefined) confirmed.push(phone);
      }
    });
    undo(() => {
      isOver = true;
    });
    const untilMore = () => {
      const known = confirmed.length;
      return waitUntil('more users register', () => confirmed.length > known + 4);
    };
    const steps: string[] = [];
    /** Every confirmed user is on the new leader, in a later timeline, and the node is ready. */
    const check = async (what: string, act: () => unknown, restore?: () => unknown) => {
      const to = cluster.other(leader);
      await untilMore();
      const timeline = node.service.store.cluster?.timeline() ?? 0;
      const begun = performance.now();
      await act();
      await waitUntil('the node has moved', () => (node.service.store.cluster?.timeline() ?? 0) > timeline);
      await untilMore();
      steps.push(`${what} ${Math.round(performance.now() - begun)} ms`);
      assert.equal((await fetch(`${node.url}/readyz`)).status, 200);
      const known = [...confirmed];
      assert.deepEqual(await missingOn(cluster.urlOf(to), known), []);
      leader = to;
      if (restore === undefined) return;
      await restore();
      await cluster.untilWhole(to);
    };
    const restart = (machine: Machine) => () => cluster.start(machine);

    await check('failover', () => cluster.kill(leader, 'all'), restart(leader));
    await check(
      'switchover',
      () => cluster.switchOver(leader, cluster.other(leader)),
      () => undefined,
    );
    const cut = leader;
    await check(
      'split network',
      () => cluster.split(cut, true),
      () => cluster.split(cut, false),
    );
    // The old primary goes on, and still believes that it is one.
    await check('unwatched primary', () => cluster.kill(leader, 'patroni'));
    isOver = true;
    await Promise.all(working);
    assert.deepEqual(await missingOn(cluster.urlOf(leader), confirmed), []);
    test.diagnostic(`${confirmed.length} users, 0 lost; until five more were confirmed: ${steps.join(', ')}`);
  });
});

/** A phone whose user was confirmed, or undefined if the database was away meanwhile. */
async function register(url: string): Promise<string | undefined> {
  const phone = newPhone();
  const sent = await sendOtp(url, phone);
  if (sent.status !== 200) return refused(outcomeOf(sent));
  for (;;) {
    const inbox = await call(url, 'GET', `/api/inbox?to=${encodeURIComponent(phone)}`);
    if (inbox.status !== 200) return refused(outcomeOf(inbox));
    const [message] = inbox.body.data.messages;
    if (message === undefined) continue;
    const reply = await call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp: codeIn(message) } });
    return reply.status === 200 ? phone : refused(outcomeOf(reply));
  }
}

function refused(answer: string): undefined {
  assert.equal(answer, '503 SERVICE_UNAVAILABLE');
  return undefined;
}

async function missingOn(url: string, phones: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ phone: string }>('select phone from users');
  await client.end();
  const kept = new Set(rows.map(({ phone }) => phone));
  return phones.filter((phone) => !kept.has(phone));
}
