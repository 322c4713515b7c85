// PostgreSQL stops under load and returns: the service answers with its own error, never exits, and loses nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../../helpers/databases/postgres-server.ts';
import { call, type Pair, type Reply, refresh, sendOtp, signIn } from '../../helpers/requests/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse } from '../../helpers/services/gatehouse.ts';

type Seen = { readonly what: string; readonly reply: Reply; readonly from: number; readonly until: number };

let serial = 0;
const nextPhone = () => `+1202556${String(++serial).padStart(4, '0')}`;

describe('an outage of PostgreSQL', () => {
  let postgres: PostgresServer;
  let service: GatehouseProcess;
  let dispose: () => Promise<void>;
  before(async () => {
    postgres = await startPostgresServer();
    const { env, dispose: remove } = await isolatedEnv('sqlite', { DATABASE_URL: postgres.url });
    dispose = remove;
    service = await spawnGatehouse(env);
  });
  after(async () => {
    await service.stop();
    await dispose();
    await postgres.end();
  });

  for (const mode of ['fast', 'immediate'] as const) {
    it(`the service answers 503 while PostgreSQL is stopped (${mode}), and 200 at most 2 s after its return`, async (context) => {
      const load = await startLoad(service.url);
      await load.untilAllAskedSince(0);
      const stoppedAt = performance.now();
      await postgres.stop(mode);
      const goneAt = performance.now();
      await sleep(2500);
      await load.untilAllAskedSince(goneAt);
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
      assert.equal((await fetch(`${service.url}/livez`)).status, 200);
      const startedAt = performance.now();
      await postgres.start();
      const backAt = performance.now();
      await load.untilAllAskedSince(backAt + 2000);
      const { seen, sessions, sent } = await load.stop();
      const before = seen.filter(({ until }) => until < stoppedAt);
      const during = seen.filter(({ from, until }) => from >= goneAt && until < startedAt);
      const later = seen.filter(({ from }) => from >= backAt + 2000);

      assert.deepEqual(strangers(before, [200]), [], 'before');
      assert.deepEqual(strangers(during, [503]), [], 'during');
      assert.deepEqual(strangers(later, [200]), [], 'two seconds after');
      assert.deepEqual(strangers(seen, [200, 503]), [], 'at any time');
      const slowest = Math.max(...seen.map(({ from, until }) => until - from));
      const served = seen.find(({ until, reply }) => until > startedAt && reply.status === 200)?.until ?? 0;
      context.diagnostic(
        `${seen.length} calls, ${seen.filter(({ reply }) => reply.status === 503).length} of them 503, ` +
          `served ${Math.round(served - backAt)} ms after the database was back, slowest ${Math.round(slowest)} ms`,
      );
      assert.ok(slowest < 6000, 'no request waits for long');
      assert.equal(service.child.exitCode, null);

      for (const { RT } of sessions) assert.equal((await refresh(service.url, RT)).status, 200);
      await assertAllDelivered(postgres.url, sent);
    });
  }
});

/** Answers with another status than these, and 503 answers without the right error and header. */
function strangers(seen: readonly Seen[], statuses: readonly number[]): unknown[] {
  return seen
    .filter(({ reply }) => !statuses.includes(reply.status) || (reply.status === 503 && !isUnavailable(reply)))
    .map(({ what, reply }) => [what, reply.status, reply.body.codeError]);
}

function isUnavailable({ body, headers }: Reply): boolean {
  return body.codeError === 'SERVICE_UNAVAILABLE' && Number(headers.get('retry-after')) >= 1;
}

/** Users who request codes, refresh their tokens and read their account in a loop. */
async function startLoad(url: string) {
  const seen: Seen[] = [];
  const sent: string[] = [];
  let isOver = false;
  const noted = async (what: string, work: () => Promise<Reply>): Promise<Reply> => {
    const from = performance.now();
    const reply = await work();
    seen.push({ what, reply, from, until: performance.now() });
    return reply;
  };
  const sessions: Pair[] = [];
  for (let count = 0; count < 4; count++) sessions.push(await signIn(url, nextPhone()));
  const users = sessions.map(async (_, index) => {
    while (!isOver) {
      const { RT = '', JWT = '' } = sessions[index] ?? {};
      const renewed = await noted('refresh', () => refresh(url, RT));
      if (renewed.status === 200) sessions[index] = renewed.body.data as Pair;
      await noted('me', () => call(url, 'GET', '/api/auth/me', { token: JWT }));
      await sleep(5);
    }
  });
  const senders = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const phone = nextPhone();
      const reply = await noted('send', () => sendOtp(url, phone));
      if (reply.status === 200) sent.push(phone);
      await sleep(15);
    }
  });
  return {
    /** Waits until each kind of call was made and answered after that time. */
    untilAllAskedSince: async (time: number) => {
      const isAsked = (what: string) => seen.some((call) => call.what === what && call.from >= time);
      while (!['refresh', 'me', 'send'].every(isAsked)) await sleep(20);
    },
    stop: async () => {
      isOver = true;
      await Promise.all([...users, ...senders]);
      return { seen, sessions, sent };
    },
  };
}

/** Every acknowledged message arrives, and none is queued twice. */
async function assertAllDelivered(databaseUrl: string, phones: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const arrived = async () =>
    new Set((await client.query('select recipient from inbox')).rows.map((row) => row.recipient));
  for (let round = 0; round < 300; round++) {
    const there = await arrived();
    if (phones.every((phone) => there.has(phone))) break;
    await sleep(100);
  }
  const there = await arrived();
  assert.deepEqual(
    phones.filter((phone) => !there.has(phone)),
    [],
  );
  const twice = await client.query("select payload::json ->> 'to' from outbox group by 1 having count(*) > 1");
  assert.equal(twice.rowCount, 0);
  await client.end();
}
