// A database with a synchronous standby: no write is acknowledged that only one server has, and a failover is followed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createPorts, type Ports } from '../../../src/store/ports.ts';
import type { Store } from '../../../src/store/store.ts';
import { addStandby, connect, promote, startPrimary } from '../../helpers/databases/postgres-pair.ts';
import type { PostgresServer } from '../../helpers/databases/postgres-server.ts';
import { newPhone, noon, signIn } from '../../helpers/store/fixtures.ts';
import { openNode } from '../../helpers/store/open-node.ts';

describe('a PostgreSQL with a synchronous standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let store: Store;
  let ports: Ports;
  before(async () => {
    primary = await startPrimary();
    standby = await addStandby(primary);
    // The standby is named first, so that the order of the hosts cannot choose the right server.
    const url = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`;
    store = await openNode('postgres', url);
    await store.migrations.up();
    ports = createPorts(store);
  });
  after(async () => {
    await store?.close();
    await primary?.end();
    await standby?.end();
  });

  const usersOn = async (server: PostgresServer) => {
    const client = await connect(server);
    const { rows } = await client.query<{ phone: string }>('select phone from users');
    await client.end();
    return rows.map(({ phone }) => phone);
  };

  const readNames = async (admin: pg.Client) => {
    const { rows } = await admin.query<{ names: string }>(
      "select current_setting('synchronous_standby_names') as names",
    );
    return rows[0]?.names ?? '';
  };
  const setNames = async (admin: pg.Client, names: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await admin.query('select pg_reload_conf()');
    while ((await readNames(admin)) !== names) await sleep(10);
  };

  it('a store with two PostgreSQL hosts writes to the primary, even if the standby is named first', async () => {
    const phone = newPhone();
    await signIn(ports, phone, noon);
    assert.ok((await usersOn(primary)).includes(phone));
  });

  for (const [act, how] of [
    ['pg_cancel_backend', 'cancels the wait'],
    ['pg_terminate_backend', 'ends the waiting backend'],
  ]) {
    it(`a write that the standby has not confirmed is not acknowledged, even if PostgreSQL ${how}`, async () => {
      const admin = await connect(primary);
      const names = await readNames(admin);
      await setNames(admin, 'nobody');
      const phone = newPhone();
      let isSettled = false;
      const outcome = assert.rejects(signIn(ports, phone, noon), { code: 'SERVICE_UNAVAILABLE' }).finally(() => {
        isSettled = true;
      });
      while (!isSettled) {
        // PostgreSQL then reports the commit as done, at most with a warning.
        await admin.query(`select ${act}(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
        await sleep(20);
      }
      await outcome;
      await setNames(admin, names);
      await admin.end();
      await signIn(ports, newPhone(), noon);
    });
  }

  it('no acknowledged sign-in is lost when the standby takes over', async () => {
    const phones = Array.from({ length: 20 }, newPhone);
    await Promise.all(phones.map((phone) => signIn(ports, phone, noon)));
    await primary.kill();
    await assert.rejects(signIn(ports, newPhone(), noon), { code: 'SERVICE_UNAVAILABLE' });
    await promote(standby);
    const kept = new Set(await usersOn(standby));
    assert.deepEqual(
      phones.filter((phone) => !kept.has(phone)),
      [],
    );
    const later = newPhone();
    // After a refusal by every host, the pool pauses for a moment.
    for (let round = 0; ; round++) {
      const failure = await signIn(ports, later, noon).then(
        () => undefined,
        (error: Error) => error,
      );
      if (failure === undefined) break;
      assert.ok(round < 1200, failure.message);
      await sleep(50);
    }
    assert.ok((await usersOn(standby)).includes(later));
  });
});
