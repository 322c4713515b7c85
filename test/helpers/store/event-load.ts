// Eight processes act on the same users, some are killed and replaced meanwhile, and readers pull the events with their cursors.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { EventStore } from '../../../src/backend/event-log.ts';
import { readEvents } from '../../../src/backend/read-events.ts';
import { webhookKinds } from '../../../src/backend/webhooks/webhook-event.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../../src/store/ports.ts';
import { waitUntil } from '../wait-until.ts';
import { openNode } from './open-node.ts';
import { startChild } from './start-child.ts';
import type { TestStore } from './test-store.ts';

const writers = 8;

/** Gives what follows its own place, and moves the place. */
type Reader = { readonly ids: string[]; step(): Promise<number> };

/** Reads as the server of an app does. */
function cursorReader(events: EventStore, limit: number): Reader {
  const ids: string[] = [];
  let after: string | undefined;
  const step = async () => {
    const page = await readEvents({ events }, { after, limit });
    ids.push(...page.events.map(({ id }) => id));
    after = page.next;
    return page.events.length;
  };
  return { ids, step };
}

/** Acts whose operations lock the row of the user. */
const lockedKinds = [
  ...['user.created', 'login.succeeded', 'email.bound', 'email.replaced', 'email.removed'],
  ...['user.blocked', 'user.unblocked', 'user.signed-out', 'user.data-changed'],
];

/** On PostgreSQL each such event raises a counter of its user, under the lock of the user. On SQLite rows are in the order of commits. */
async function countTrueOrder({ kind, query }: TestStore): Promise<void> {
  if (kind === 'sqlite') return;
  await query('alter table users add column steps bigint not null default 0');
  await query('create table true_order (event_id text primary key, step bigint not null)');
  await query(`create function note_order() returns trigger language plpgsql as $$
    declare counted bigint;
    begin
      update users set steps = steps + 1 where id = new.user_id returning steps into counted;
      if counted is not null then insert into true_order values (new.id, counted); end if;
      return null;
    end $$`);
  await query(`create trigger note_order after insert on audit_events for each row
    when (new.kind in (${lockedKinds.map((name) => `'${name}'`).join()})) execute function note_order()`);
}

/** The published events of each user in their true order, as far as it is known. */
async function readTrueOrder({ kind, query }: TestStore): Promise<{ id: string; userId: UserId }[]> {
  const text =
    kind === 'sqlite'
      ? `select id, user_id as "userId" from audit_events where order_no is not null order by rowid`
      : `select id, user_id as "userId" from audit_events join true_order on event_id = id order by user_id, step`;
  return (await query(text)) as { id: string; userId: UserId }[];
}

type Load = { readonly kills: number; readonly eventsBetweenKills: number };

/** `others`: readers of a suite, besides the two that read with cursors on nodes of their own. */
export async function runLoad(test: TestStore, { kills, eventsBetweenKills }: Load, others: readonly Reader[] = []) {
  await countTrueOrder(test);
  const nodes = await Promise.all([0, 1].map(() => openNode(test.kind, test.address)));
  const readers = nodes.map((node, at) => cursorReader(createOperatorPorts(node).events, at === 0 ? 1000 : 7));
  let isOver = false;
  const reading = [...readers, ...others].map(async (reader) => {
    while (!isOver) await reader.step();
    while ((await reader.step()) > 0);
  });
  const start = () => startChild(new URL('./event-child.ts', import.meta.url), [test.kind, test.address]);
  const children = Array.from({ length: writers }, start);
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    for (let kill = 0; kill <= kills; kill++) {
      const enough = (readers[0]?.ids.length ?? 0) + eventsBetweenKills;
      await waitUntil('more events', () => (readers[0]?.ids.length ?? 0) >= enough);
      if (kill === kills) break;
      const at = kill % writers;
      children[at]?.kill('SIGKILL');
      children[at] = start();
    }
    await Promise.all(children.map(stop));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    isOver = true;
    await Promise.all(reading).finally(() => Promise.all(nodes.map((node) => node.close())));
  }
  return { readers, ...(await readTruth(test)) };
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'exit');
  child.send('stop');
  await closed;
}

async function readTruth(test: TestStore) {
  const rows = await test.rows('audit_events');
  const kinds = new Set<string>(webhookKinds);
  const numbered = rows.filter((row) => kinds.has(row.kind));
  assert.ok(numbered.every((row) => row.order_no !== null && row.position !== null));
  return { rows: new Map(numbered.map((row) => [row.id, row])), trueOrder: await readTrueOrder(test) };
}

type Truth = Awaited<ReturnType<typeof runLoad>>;

/** Throws unless the reader has every event exactly once, and those of each user in their true order. */
export function checkReader({ ids }: Reader, { rows, trueOrder }: Omit<Truth, 'readers'>): void {
  const seen = new Set(ids);
  assert.equal(seen.size, ids.length, 'an event came twice');
  const lost = [...rows.keys()].filter((id) => !seen.has(id));
  assert.deepEqual(lost, [], `${lost.length} of ${rows.size} events were lost`);
  assert.equal(seen.size, rows.size);
  const known = new Set(trueOrder.map(({ id }) => id));
  const userOf = (id: string) => rows.get(id)?.user_id;
  const read = Map.groupBy(
    ids.filter((id) => known.has(id)),
    userOf,
  );
  const expected = Map.groupBy(trueOrder, ({ userId }) => userId);
  for (const [userId, events] of expected) {
    assert.deepEqual(
      read.get(userId),
      events.map(({ id }) => id),
      'the events of a user are in another order',
    );
  }
  checkStories(ids, rows);
}

/** A user is created first and deleted last, and a file is stored before it is deleted. */
function checkStories(ids: readonly string[], rows: Truth['rows']): void {
  const stored = new Set<string>();
  for (const [, events] of Map.groupBy(ids, (id) => rows.get(id)?.user_id)) {
    const kinds = events.map((id) => rows.get(id)?.kind);
    assert.equal(kinds[0], 'user.created');
    assert.ok(!kinds.slice(0, -1).includes('user.deleted'), `an event after the deletion: ${kinds.slice(-4).join()}`);
    for (const id of events) {
      const { kind, detail } = rows.get(id) ?? { kind: '', detail: '{}' };
      const { file } = JSON.parse(detail) as { file?: string };
      if (kind === 'file.stored' && file !== undefined) stored.add(file);
      if (kind === 'file.deleted')
        assert.ok(file !== undefined && stored.has(file), 'a file is deleted before it is stored');
    }
  }
}
