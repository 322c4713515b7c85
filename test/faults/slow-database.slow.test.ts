// A PostgreSQL that answers late or not at all: a locked table, and a connection that hangs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newPhone, readEnvelope, sendOtp, signIn } from '../helpers/requests/api.ts';
import { startTcpProxy } from '../helpers/requests/tcp-proxy.ts';
import { isolatedEnv, spawnGatehouse } from '../helpers/services/gatehouse.ts';

/** Longer than any time-out of the service. */
const patience = 15_000;

describe('a database that does not answer', { concurrency: true }, () => {
  it('a request that needs a locked table is refused in time, others are served, and the service recovers after the lock', async () => {
    const { env, dispose } = await isolatedEnv('postgres', {});
    const service = await spawnGatehouse(env);
    const { JWT } = await signIn(service.url, newPhone());
    const holder = new pg.Client({ connectionString: env.DATABASE_URL });
    await holder.connect();
    await holder.query('begin; lock table users in access exclusive mode');
    await refusedInTime(() => me(service.url, JWT));
    assert.equal((await sendOtp(service.url, newPhone())).status, 200, 'a code needs no table of users');
    await holder.query('rollback');
    await holder.end();
    await servedAgain(() => me(service.url, JWT));
    await service.stop();
    await dispose();
  });

  it('a service whose database connections hang refuses in time, reports that it is not ready, and recovers', async () => {
    const { env, dispose } = await isolatedEnv('postgres', {});
    const url = new URL(env.DATABASE_URL ?? '');
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const service = await spawnGatehouse({ ...env, DATABASE_URL: url.href });
    const { JWT } = await signIn(service.url, newPhone());
    proxy.hold(true);
    await refusedInTime(() => me(service.url, JWT));
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${service.url}/livez`)).status, 200);
    proxy.hold(false);
    await servedAgain(() => me(service.url, JWT));
    await servedAgain(() => fetch(`${service.url}/readyz`));
    await signIn(service.url, newPhone());
    await service.stop();
    await proxy.close();
    await dispose();
  });
});

function me(url: string, token: string): Promise<Response> {
  return fetch(`${url}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(patience),
  });
}

/** Refused with 503, the envelope and Retry-After, long before a client would give up. */
async function refusedInTime(ask: () => Promise<Response>): Promise<void> {
  const response = await ask();
  assert.equal(response.status, 503);
  assert.equal(readEnvelope(await response.text()).codeError, 'SERVICE_UNAVAILABLE');
  assert.ok(Number(response.headers.get('retry-after')) > 0);
}

async function servedAgain(ask: () => Promise<Response>): Promise<void> {
  const until = Date.now() + 60_000;
  while ((await ask()).status !== 200) {
    assert.ok(Date.now() < until, 'it does not recover');
    await sleep(100);
  }
}
