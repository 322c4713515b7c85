// The primary of a PostgreSQL with a synchronous standby is killed under three busy nodes, and the standby takes over: no step
// that was acknowledged is lost, and no session ends. Long form only: each failover takes half a minute.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { addStandby, promote, startPrimary } from '../helpers/databases/postgres-pair.ts';
import { freePort, type PostgresServer } from '../helpers/databases/postgres-server.ts';
import { openAcknowledgements } from '../helpers/faults/acknowledgements.ts';
import { crowd } from '../helpers/faults/lives.ts';
import { factor, rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { enter, outcomeOf } from '../helpers/people/users.ts';
import { hasHaproxy } from '../helpers/proxies/haproxy.ts';
import { newPhone, type Pair, refresh } from '../helpers/requests/api.ts';
import { startTcpProxy } from '../helpers/requests/tcp-proxy.ts';
import { openFleet } from '../helpers/services/fleet.ts';
import { judge } from './rig/judge.ts';
import { settle } from './rig/settle.ts';

const why =
  factor < 2 ? 'it runs in npm run faults' : hasHaproxy() ? undefined : 'it needs the haproxy package of Debian';
if (why !== undefined) console.log(`skipped: no failover of PostgreSQL under three nodes is tested, because ${why}`);

describe('a failover of PostgreSQL under three nodes', { skip: why !== undefined }, () => {
  it('a failover of PostgreSQL under three nodes loses no acknowledged step and ends no session', async (test) => {
    const undo = undoAfter(test);
    let primary = await startPrimary();
    undo(primary.end);
    const follow = async () => {
      const made = await addStandby(primary);
      undo(made.end);
      return made;
    };
    let standby = await follow();
    const s3 = await startS3Server();
    undo(s3.stop);
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-nodes-'));
    undo(() => rmSync(dataDir, { recursive: true }));
    // Each server has its own port. Two proxies with fixed ports forward to the two current servers.
    const proxies = await openFixedProxies(undo);
    await proxies.pointTo(primary, standby);
    const fleet = await openFleet(
      undo,
      {
        DATA_DIR: dataDir,
        SECRET: 's'.repeat(40),
        STORAGE_URL: s3.url(),
        DATABASE_URL: proxies.url,
        TRASH_LIFE: '0',
      },
      { places: 3, count: 3 },
    );
    const log = openAcknowledgements();
    undo(log.remove);
    const residents = await Promise.all(Array.from({ length: 5 }, () => enter(fleet.url, newPhone())));
    const outages: number[] = [];
    let users = 0;
    for (let round = 0; round < rounds(0.1); round++) {
      const known = log.done();
      let isOver = false;
      const working = crowd(fleet.url, log, 6, () => isOver);
      working.catch(() => undefined);
      while (log.done() < known + 30) await sleep(5);
      const killedAt = performance.now();
      await primary.kill();
      await promote(standby);
      await untilWritten(fleet.url, residents);
      outages.push(Math.round(performance.now() - killedAt));
      isOver = true;
      await working;
      const notes = log.takeNew();
      users += notes.size;
      await Promise.all([...notes].map(([phone, own]) => judge(fleet.url, phone, own, 10)));
      primary = standby;
      standby = await follow();
      await proxies.pointTo(primary, standby);
    }
    await settle({ ...fleet.env, DATABASE_URL: primary.url });
    test.diagnostic(
      `${outages.length} failovers, ${log.done()} acknowledged steps of ${users} users, 0 lost; ${residents.length} users stayed signed in; from kill to the first write: ${outages.join(', ')} ms`,
    );
  });
});

/** Every signed-in user renews. While the database is away they get a 503, and never an answer that their session ended. */
async function untilWritten(url: string, residents: (Pair & { phone: string })[]): Promise<void> {
  await Promise.all(
    residents.map(async (user) => {
      for (let round = 0; ; round++) {
        const reply = await refresh(url, user.RT).catch((error: unknown) => {
          if (error instanceof TypeError) return undefined;
          throw error;
        });
        if (reply?.status === 200) return Object.assign(user, reply.body.data);
        if (reply !== undefined) assert.equal(outcomeOf(reply), '503 SERVICE_UNAVAILABLE');
        assert.ok(round < 1200, 'no write succeeds after the failover');
        await sleep(50);
      }
    }),
  );
}

type FixedProxies = { readonly url: string; pointTo(...servers: PostgresServer[]): Promise<void> };

/** Two fixed ports, whichever servers are behind them. */
async function openFixedProxies(undo: (step: () => unknown) => void): Promise<FixedProxies> {
  const ports = [await freePort(), await freePort()];
  const open: Awaited<ReturnType<typeof startTcpProxy>>[] = [];
  undo(() => Promise.all(open.map((proxy) => proxy.close())));
  return {
    url: `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`,
    pointTo: async (...servers) => {
      await Promise.all(open.splice(0).map((proxy) => proxy.close()));
      for (const [index, { port }] of servers.entries())
        open.push(await startTcpProxy({ host: '127.0.0.1', port }, { port: ports[index] ?? 0 }));
    },
  };
}
