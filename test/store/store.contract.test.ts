// Contract of Store itself: a shared clock, a ping that reaches the database, and a refusal instead of an endless wait.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPorts } from '../../src/store/ports.ts';
import { asUserId } from '../helpers/people/ids.ts';
import { codeRequest, newPhone, noon, signIn } from '../helpers/store/fixtures.ts';
import { openNode } from '../helpers/store/open-node.ts';
import { onEveryStore } from '../helpers/store/test-store.ts';

const unavailable = { name: 'Failure', code: 'SERVICE_UNAVAILABLE', detail: { retryAfterSeconds: 1 } };

onEveryStore('the store', (open, kind) => {
  it('the store answers a ping, and refuses calls after its close', async () => {
    const node = await openNode(kind, open().address);
    await node.ping();
    await node.close();
    await assert.rejects(node.ping());
    await assert.rejects(node.call('users.findUser', asUserId('nobody')), unavailable);
    await assert.rejects(node.call('outbox.finish', 'none'), unavailable);
  });

  it('the clock of the store is the clock of the database, the same on every node', async () => {
    const node = await openNode(kind, open().address);
    await sleep(300);
    const text = kind === 'sqlite' ? "unixepoch('subsec') * 1000" : 'extract(epoch from clock_timestamp()) * 1000';
    const before = [open().store.clock.now(), node.clock.now()];
    const [row] = await open().query(`select ${text} as now`);
    const after = [open().store.clock.now(), node.clock.now()];
    for (const time of before) assert.ok(time <= Number(row?.now) + 250, `${time} ${row?.now}`);
    for (const time of after) assert.ok(time >= Number(row?.now) - 250, `${time} ${row?.now}`);
    assert.ok(Number.isInteger(before[0]));
    await node.close();
  });

  it('a write acknowledged by one node is visible on every node at once', async () => {
    const node = await openNode(kind, open().address);
    const other = createPorts(node);
    for (let round = 0; round < 20; round++) {
      const { userId } = await signIn(open().ports, newPhone(), noon);
      assert.equal((await other.users.findUser(userId))?.id, userId);
    }
    await node.close();
  });

  it('the store refuses calls beyond its queue limit and answers the rest', async () => {
    const { store } = open();
    const calls = Array.from({ length: 11_500 }, () => store.call('users.findUser', asUserId('nobody')));
    const all = await Promise.allSettled(calls);
    const refused = all.filter((result) => result.status === 'rejected');
    assert.ok(refused.length >= 500, `${refused.length} refused`);
    assert.ok(refused.every(({ reason }) => reason.code === 'SERVICE_UNAVAILABLE'));
    assert.ok(all.some((result) => result.status === 'fulfilled'));
    assert.equal(await store.call('users.findUser', asUserId('nobody')), undefined);
  });

  it('the SQLite file cannot be read by other users of the machine', { skip: kind !== 'sqlite' }, async () => {
    const node = await openNode(kind, `${open().address}-folder/of/gatehouse.db`);
    const path = `${open().address}-folder/of/gatehouse.db`;
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
    await node.close();
  });

  it('SQLite reads while another program writes, and a write that waits too long is refused and reported', {
    skip: kind !== 'sqlite',
  }, async () => {
    const { address, ports, troubles } = open();
    const { userId } = await signIn(ports, newPhone(), noon);
    const other = new DatabaseSync(address);
    other.exec('begin immediate');
    assert.equal((await ports.users.findUser(userId))?.id, userId);
    const request = codeRequest(newPhone(), noon);
    await assert.rejects(ports.sendRequests.request(request), unavailable);
    assert.match(troubles.at(-1)?.message ?? '', /locked/);
    other.exec('rollback');
    other.close();
    assert.equal(await ports.sendRequests.request(request), undefined);
  });
});
