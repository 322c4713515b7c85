// Nodes are replaced one by one behind a load balancer, by the next version and back, under load: no request fails.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { openAcknowledgements } from '../helpers/faults/acknowledgements.ts';
import { live } from '../helpers/faults/lives.ts';
import { factor, rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import {
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  spawnMain,
  startGatehouse,
  storeKinds,
} from '../helpers/services/gatehouse.ts';
import { type Balancer, startBalancer } from './rig/balancer.ts';
import { judge } from './rig/judge.ts';
import { makeNextVersion } from './rig/next-version.ts';
import { settle } from './rig/settle.ts';

const users = 4;

/** Tables with a long read while a migration needs them, in milliseconds. Together they last longer than any request waits. */
const readers = { users: 800, login_links: 800, sessions: 2500 };

/** WORKERS of each node. In the long form, one node has several processes. */
const workers = factor === 1 ? ['1', '1'] : ['1', '2'];
const kinds = factor === 1 ? (['postgres'] as const) : storeKinds;

describe('a rolling update under load', { concurrency: true }, () => {
  for (const kind of kinds) {
    it(`a rolling update on ${kind} with a migration and a new signing key fails no request`, (test) =>
      exchange(test, kind));
  }
});

async function exchange(test: TestContext, kind: StoreKind): Promise<void> {
  const undo = undoAfter(test);
  const next = makeNextVersion();
  undo(next.remove);
  const ports = await Promise.all(workers.map(freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const balancer = await startBalancer(urls);
  undo(balancer.close);
  const { env, dispose } = await isolatedEnv(kind, { TRASH_LIFE: '0', PUBLIC_URL: balancer.url });
  undo(dispose);
  const start = async (index: number, sources?: string) => {
    const own = { ...env, PORT: String(ports[index]), WORKERS: workers[index] ?? '1' };
    const node = await spawnGatehouse(own, [], sources);
    await balancer.until(node.url, true);
    return node;
  };
  const nodes = await Promise.all(workers.map((_, index) => start(index)));
  undo(() => Promise.all(nodes.map((node) => node.stop('SIGKILL'))));

  const load = startLoad(balancer);
  undo(load.remove);
  await load.untilDone(users);
  let exchanges = 0;
  for (let round = 0; round < rounds(1); round++) {
    const sources = round % 2 === 0 ? next.folder : undefined;
    for (const [index, node] of nodes.entries()) {
      assert.equal(await node.stop('SIGTERM'), 0);
      if (exchanges === 0 && env.DATABASE_URL !== undefined) undo(await readForLong(env.DATABASE_URL));
      nodes[index] = await start(index, sources);
      exchanges += 1;
      await load.untilDone(load.done() + users);
    }
    const { ended, output } = spawnMain(['keys', 'rotate', '--now', '--reason', 'a drill'], env);
    assert.equal(await ended, 0, output().stderr);
  }
  const lives = await load.stop();
  const [row] = await askStore(env, `select count(*) as n from schema_migrations where name = '${next.migration}'`);
  assert.equal(Number(row?.n), 1);
  await settle(env);
  // Checked on a node that starts now, because it knows every session that any other node has ended.
  const judging = await startGatehouse(env);
  undo(judging.stop);
  for (const [phone, notes] of load.log.takeNew()) await judge(judging.url, phone, notes);
  const served = [...balancer.served.values()].reduce((sum, count) => sum + count, 0);
  test.diagnostic(`${kind}: ${exchanges} nodes replaced under ${served} requests of ${lives} lives, 0 failed`);
}

/** Reads those tables, each in a long transaction that ends well after a migration has started to wait for it. */
async function readForLong(url: string): Promise<() => Promise<unknown>> {
  const readings: Promise<void>[] = [];
  for (const [table, milliseconds] of Object.entries(readers)) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    await client.query(`select count(*) from ${table}`);
    readings.push(
      untilAwaited(client, table)
        .then(() => sleep(milliseconds))
        .finally(() => client.end()),
    );
  }
  return () => Promise.all(readings);
}

async function untilAwaited(client: pg.Client, table: string): Promise<void> {
  const question = `select 1 from pg_locks
    where mode = 'AccessExclusiveLock' and not granted and relation = '${table}'::regclass`;
  for (let round = 0; round < 600 && (await client.query(question)).rowCount === 0; round++) await sleep(50);
}

/** Users whose every request must succeed. */
function startLoad(balancer: Balancer) {
  const log = openAcknowledgements();
  let isOver = false;
  let done = 0;
  const failures: unknown[] = [];
  const one = async () => {
    while (!isOver && failures.length === 0) {
      await live(balancer.url, log, randomInt(3)).catch((error: unknown) => failures.push(error));
      done += 1;
    }
  };
  const lives = Array.from({ length: users }, one);
  return {
    log,
    done: () => done,
    untilDone: async (count: number) => {
      while (done < count && failures.length === 0) await sleep(20);
      assert.deepEqual(failures, []);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(lives);
      assert.deepEqual(failures, []);
      return done;
    },
    remove: async () => {
      isOver = true;
      await Promise.all(lives);
      log.remove();
    },
  };
}
