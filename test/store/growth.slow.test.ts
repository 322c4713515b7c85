// A large store reads no more rows per call than a small one, even with query plans made when it was empty.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPorts, type Ports } from '../../src/store/ports.ts';
import type { Store } from '../../src/store/store.ts';
import {
  bind,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../helpers/store/fixtures.ts';
import { openNode } from '../helpers/store/open-node.ts';
import { openTestStore, type TestStore } from '../helpers/store/test-store.ts';
import { sweepAll } from './operations/sweep-all.ts';

const rowsBefore = 20_000;
const rounds = 40;

describe('a store on PostgreSQL that has grown', () => {
  let test: TestStore;
  let node: Store;
  beforeEach(async () => {
    test = await openTestStore('postgres');
    node = await openNode('postgres', test.address);
  });
  afterEach(async () => {
    await node.close().catch(() => undefined);
    await test.end();
  });

  it('a store with many rows reads a bounded number of rows per call, even with plans made when it was empty', async () => {
    await readsFewRowsAfterGrowth();
  });

  it('a store with many rows reads a bounded number of rows per call, even with statistics of a small store', async () => {
    await readsFewRowsAfterGrowth('analyze');
  });

  async function readsFewRowsAfterGrowth(beforeGrowth?: 'analyze'): Promise<void> {
    const ports = createPorts(node);
    for (let round = 0; round < 20; round++) await doEverything(ports);
    if (beforeGrowth !== undefined) await test.query(beforeGrowth);
    await grow(test);
    const before = await rowsRead(test);
    for (let round = 0; round < rounds; round++) await doEverything(ports);
    await sweepAll(node);
    await node.close();
    const after = await rowsRead(test);
    const most = Object.entries(after).map(([name, count]) => [name, (count - (before[name] ?? 0)) / rounds] as const);
    assert.deepEqual(
      most.filter(([, count]) => count > 100),
      [],
      'rows read per round',
    );
  }
});

/** Makes each call that a user causes, once. */
async function doEverything(ports: Ports): Promise<void> {
  const address = newEmail();
  const { userId, session } = await signIn(ports, newPhone(), noon);
  const { id: sessionId, seedHash } = session;
  await ports.sessions.rotate({ sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon });
  await ports.sessions.listSessions({ userId, now: noon });
  await ports.users.findUser(userId);
  await bind(ports, userId, address, noon);
  await bind(ports, userId, `new-${address}`, noon);
  await ports.links.issueLink(linkIssue(`new-${address}`, address, noon));
  await ports.links.findLink({ tokenHash: address, now: noon });
  await ports.signIns.signInWithLink({ tokenHash: address, session: sessionDraft(noon) });
  await ports.sessions.endSessions({ userId, sessionId, scope: 'others', reason: 'revoked', now: noon });
  for (const { id } of await ports.outbox.claim({ channel: 'sms', now: noon, most: 9, leaseSeconds: 1 }))
    await ports.outbox.finish(id);
  await claimWebhooks(ports);
  await ports.users.deleteUser({ userId, now: noon });
}

/** One user has all the events that there are, some in the queue and some that are back. */
async function claimWebhooks({ webhooks }: Ports): Promise<void> {
  const at = { endpoint: 'app', now: noon };
  await webhooks.look(at);
  await webhooks.queueUp({ ...at, most: 2 });
  const claim = { ...at, most: 4, mostOfQueue: 2, except: [], leaseSeconds: 30 };
  await webhooks.claim({ ...claim, after: 'hog' });
  for (const { id } of await webhooks.claim({ ...claim, after: '' })) await webhooks.finish({ id, now: noon });
}

/** Adds rows without an update of the planner's statistics, as a busy hour between two analyze runs would. */
async function grow({ query }: TestStore): Promise<void> {
  const series = `from generate_series(1, ${rowsBefore}) i`;
  const later = 4_000_000_000_000;
  for (const text of [
    `insert into users (id, phone, created_at) select 'grown ' || i, 'grown ' || i, 0 ${series}`,
    `insert into challenges select 'grown ' || i, '', '', '', 'pending', 0, 0, 0, ${later} ${series}`,
    `insert into limits select 'grown ' || i, '[]', ${later} ${series}`,
    `insert into login_links select 'grown ' || i, 'grown ' || i, '', '', 'issued', 0, 0, ${later} ${series}`,
    `insert into sessions (id, user_id, seed_hash, counter, rotated_at, created_at, last_used_at, expires_at, ends_at, method)
     select 'grown ' || i, 'grown ' || i, '', 0, 0, 0, 0, 0, ${later}, 'sms' ${series}`,
    `insert into webhooks select 'entry ' || i, '', 'app', '', 'queued', 0, 0, 0, null, null, 'hog' ${series}`,
    `insert into webhooks select 'back ' || i, '', 'app', '', 'queued', 0, 0, 0, null, null, null ${series}`,
    `insert into outbox select 'grown ' || i, 'sms', '', '{}', 'queued', 0, 0, ${later}, 0, 0, null, null ${series}`,
  ])
    await query(text);
}

/** Rows read by table and index. A connection reports its counts when it ends, or earlier. */
async function rowsRead({ query }: TestStore): Promise<Record<string, number>> {
  await sleep(1500);
  const rows = await query(`select relname as name, seq_tup_read as count from pg_stat_user_tables
    union all select indexrelname, idx_tup_read from pg_stat_user_indexes`);
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]));
}
