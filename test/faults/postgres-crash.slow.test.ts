// PostgreSQL crashes under a busy service: a backend is killed, the server stops at once, or is killed; every promise holds afterwards.
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../helpers/databases/postgres-server.ts';
import { rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { openCrashRig } from './rig/crash-rig.ts';

describe('a crash of PostgreSQL', () => {
  it('a crash of PostgreSQL loses no acknowledged step and lets nothing be used twice', async (test) => {
    const undo = undoAfter(test);
    const postgres = await startPostgresServer();
    undo(postgres.end);
    const rig = await openCrashRig('sqlite', { DATABASE_URL: postgres.url });
    undo(rig.dispose);
    for (let round = 0; round < rounds(2); round++) {
      await rig.strike(async ({ url }) => {
        if (round % 3 === 0) await killBackend(postgres);
        else {
          await (round % 3 === 1 ? postgres.stop('immediate') : postgres.kill());
          await postgres.start();
        }
        await untilReady(url);
      });
    }
    test.diagnostic(await rig.finish());
  });
});

/** When one backend is killed, PostgreSQL ends all of them and recovers from its log. */
async function killBackend({ url }: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  const victim = rows[Math.floor(Math.random() * rows.length)];
  if (victim === undefined) return client.end();
  const ended = new Promise((resolve) => client.once('end', resolve));
  process.kill(victim.pid, 'SIGKILL');
  await ended;
}

/** Waits until the service is ready again. A short crash may be over before the first check. */
async function untilReady(url: string): Promise<void> {
  await sleep(300);
  for (let round = 0; round < 1200; round++) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error('the service did not recover');
}
