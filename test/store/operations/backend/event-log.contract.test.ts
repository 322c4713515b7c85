// The log of events that apps read, on both databases: positions in the order of the acts, pages, sweeps, and new eras.

import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import pg from 'pg';
import type { EventPlace, EventReading } from '../../../../src/backend/event-log.ts';
import type { AuditKind, DatedEvent } from '../../../../src/kernel/audit.ts';
import { newId } from '../../../../src/kernel/crypto/random.ts';
import { tables } from '../../../../src/store/engine/tables.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { asUserId } from '../../../helpers/people/ids.ts';
import { bind, day, newEmail, newPhone, noon, signIn } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';
import { sweepAll } from '../sweep-all.ts';

onEveryStore('the log of events', (open, kind) => {
  beforeEach(async () => {
    for (const table of Object.keys(tables)) await open().query(`delete from ${table}`);
  });
  const events = () => createOperatorPorts(open().store).events;
  const record = (kind: AuditKind, place: number) =>
    open().store.call('audit.record', { kind, userId: asUserId('ann'), detail: { place }, now: noon } as DatedEvent);
  /** One page, as a reader gets it, and the place to go on from. */
  const read = async (after: EventPlace | undefined = undefined, most = 100) => {
    const first = await events().read({ after, most });
    return first.kind === 'behind' ? events().placeAndRead({ after, most }) : first;
  };
  const pageOf = (reading: EventReading) => {
    assert.ok(reading.kind === 'page', reading.kind);
    return {
      places: reading.events.map(({ detail }) => detail.place),
      kinds: reading.events.map((one) => one.kind),
      end: reading.end,
    };
  };
  const readPage = async (after?: EventPlace, most?: number) => pageOf(await read(after, most));
  const logRow = async () => (await open().rows('event_log'))[0];
  const sweep = async (now: number) => {
    return (await sweepAll(open().store, now)).get('auditEvents') ?? 0;
  };
  /** Ids hold the time of the machine. */
  const inDays = (days: number) => Date.now() + days * day;

  it('only published events get a number, and those of one call get theirs in its order', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, place) => record(place % 4 === 0 ? 'user.exported' : 'user.created', place)),
    );
    const rows = await open().rows('audit_events');
    const numbered = rows.filter((row) => row.order_no !== null);
    assert.deepEqual(
      new Set(rows.filter((row) => row.order_no === null).map((row) => row.kind)),
      new Set(['user.exported']),
    );
    assert.equal(new Set(numbered.map((row) => row.order_no)).size, 30);
    assert.ok(rows.every((row) => row.position === null));
    const inOrder = numbered.toSorted((a, b) => Number(a.order_no) - Number(b.order_no));
    assert.deepEqual(
      inOrder.map((row) => JSON.parse(row.detail).place),
      Array.from({ length: 40 }, (_, place) => place).filter((place) => place % 4 !== 0),
    );
  });

  it('the events of several acts on a user come in the order of the acts', async () => {
    const { ports, store } = open();
    const phone = newPhone();
    const { userId, session } = await signIn(ports, phone, noon);
    await bind(ports, userId, newEmail(), noon);
    await bind(ports, userId, newEmail(), noon + 1);
    await ports.bindings.removeEmail({ userId, now: noon + 2 });
    const ending = { userId, sessionId: session.id, scope: 'all', reason: 'logged out', now: noon + 3 } as const;
    await ports.sessions.endSessions(ending);
    await signIn(ports, phone, noon + 4);
    const { directory } = createOperatorPorts(store);
    const by = { actor: 'cli', why: 'a test' } as const;
    for (const act of ['sign out', 'block', 'unblock'] as const)
      await directory.actOn({ userId, act, by, now: noon + 4 });
    await ports.users.deleteUser({ userId, now: noon + 5 });
    assert.deepEqual((await readPage()).kinds, [
      'user.created',
      'login.succeeded',
      'email.bound',
      'email.replaced',
      'email.bound',
      'email.removed',
      'session.ended',
      'login.succeeded',
      'user.signed-out',
      'user.blocked',
      'user.unblocked',
      'user.deleted',
    ]);
  });

  it('ending several sessions gives one event', async () => {
    const { ports } = open();
    const phone = newPhone();
    const { userId, session } = await signIn(ports, phone, noon);
    for (const minutes of [1, 2]) await signIn(ports, phone, noon + minutes);
    const ending = { userId, sessionId: session.id, reason: 'logged out', now: noon + 9 } as const;
    assert.equal((await ports.sessions.endSessions({ ...ending, scope: 'others' })).length, 2);
    await ports.sessions.endSessions({ ...ending, scope: 'this' });
    await ports.sessions.endSessions({ ...ending, scope: 'all' });
    const ended = (await open().rows('audit_events')).filter((row) => row.kind === 'session.ended');
    assert.deepEqual(
      ended.map(({ detail }) => JSON.parse(detail)).toSorted((a, b) => b.sessions - a.sessions),
      [
        { sessions: 2, reason: 'logged out' },
        { session: session.id, sessions: 1, reason: 'logged out' },
      ],
    );
  });

  it('a reader goes through the log page by page and gets every event once', async () => {
    for (const place of [0, 1, 2, 3, 4]) await record('user.created', place);
    const first = await readPage(undefined, 2);
    const second = await readPage(first.end, 2);
    await record('user.created', 5);
    const third = await readPage(second.end, 2);
    const last = await readPage(third.end, 2);
    assert.deepEqual(
      [first, second, third, last].map(({ places }) => places),
      [[0, 1], [2, 3], [4, 5], []],
    );
    assert.deepEqual(last.end, third.end);
    await record('user.created', 6);
    assert.deepEqual((await readPage(last.end)).places, [6]);
    assert.deepEqual((await readPage(first.end)).places, [2, 3, 4, 5, 6]);
  });

  it('two readers have places of their own', async () => {
    await record('user.created', 0);
    const [one, other] = await Promise.all([readPage(), readPage()]);
    assert.deepEqual([one.places, other.places], [[0], [0]]);
    assert.deepEqual(one.end, other.end);
  });

  it('a page without news writes nothing', async () => {
    await record('user.created', 0);
    const { end } = await readPage();
    const before = JSON.stringify([await open().rows('event_log'), await open().rows('audit_events')]);
    const receipts = (await open().rows('receipts')).length;
    const again = await events().read({ after: end, most: 100 });
    assert.deepEqual(again, { kind: 'page', events: [], end });
    assert.equal(JSON.stringify([await open().rows('event_log'), await open().rows('audit_events')]), before);
    assert.equal((await open().rows('receipts')).length, receipts);
  });

  it('a log without events has a first place', async () => {
    const { places, end } = await readPage();
    assert.deepEqual([places, end.position], [[], 0]);
    assert.deepEqual(await events().read({ after: end, most: 1 }), { kind: 'page', events: [], end });
    await record('user.created', 0);
    assert.deepEqual((await readPage(end)).places, [0]);
  });

  it('a backlog of more events than get positions at once is read without a gap', async () => {
    const all = Array.from({ length: 2050 }, (_, place) => place);
    await Promise.all(all.map((place) => record('user.created', place)));
    const seen: unknown[] = [];
    let after: EventPlace | undefined;
    for (let pages = 0; pages < 4; pages++) {
      const { places, end } = await readPage(after, 1000);
      seen.push(...places);
      after = end;
    }
    assert.deepEqual(
      seen.toSorted((a, b) => Number(a) - Number(b)),
      all,
    );
  });

  it('a sweep of events makes the places before them too old, and no other', async () => {
    for (const place of [0, 1, 2]) await record('user.created', place);
    const first = await readPage(undefined, 2);
    const { end } = await readPage();
    assert.equal(await sweep(inDays(89)), 0);
    assert.deepEqual((await readPage(first.end)).places, [2]);
    assert.equal(await sweep(inDays(91)), 3);
    assert.deepEqual(await logRow(), { slot: 'this', era: end.era, last_position: 3, swept_position: 3 });
    assert.equal((await read(first.end)).kind, 'expired');
    assert.deepEqual(await readPage(end), { places: [], kinds: [], end });
    await record('user.created', 3);
    assert.deepEqual((await readPage(end)).places, [3]);
    assert.deepEqual((await readPage()).places, [3]);
  });

  it('a sweep of events that nobody has read makes every place too old', async () => {
    const { end } = await readPage();
    await record('user.created', 0);
    await record('user.exported', 1);
    assert.equal(await sweep(inDays(91)), 2);
    assert.equal((await read(end)).kind, 'expired');
    const fresh = await readPage();
    assert.deepEqual(fresh.places, []);
    await record('user.created', 2);
    assert.deepEqual((await readPage(fresh.end)).places, [2]);
  });

  it('a sweep of internal events changes no place, and a sweep without a log is possible', async () => {
    await record('user.created', 0);
    assert.equal(await sweep(inDays(91)), 1);
    assert.equal(await logRow(), undefined);
    const { end } = await readPage();
    await record('user.exported', 0);
    assert.equal(await sweep(inDays(91)), 1);
    assert.deepEqual(await readPage(end), { places: [], kinds: [], end });
  });

  it('a new era follows the positions that there are, and does not know the places of another', async () => {
    await record('user.created', 0);
    const { end } = await readPage();
    await record('user.created', 1);
    await open().query('delete from event_log');
    assert.equal((await read(end)).kind, 'expired');
    const again = await readPage();
    assert.deepEqual([again.places, again.end.position], [[0, 1], 2]);
    assert.notEqual(again.end.era, end.era);
  });

  if (kind === 'postgres') {
    const inOtherTransaction = async (statements: readonly string[], work: () => Promise<void>) => {
      const client = new pg.Client({ connectionString: open().address });
      await client.connect();
      try {
        await client.query('begin');
        for (const text of statements) await client.query(text);
        await work();
        await client.query('commit');
      } finally {
        await client.end();
      }
    };

    it('an event whose commit comes after a later event was read is not lost, as it would be to a reader of numbers or ids', async () => {
      const early = `insert into audit_events (id, kind, user_id, detail, created_at, order_no)
        values ('${newId()}', 'user.created', 'ann', '{"place":0}', ${noon}, nextval('event_order'))`;
      let end: EventPlace | undefined;
      await inOtherTransaction([early], async () => {
        await record('user.created', 1);
        const page = await readPage();
        assert.deepEqual(page.places, [1]);
        end = page.end;
      });
      assert.deepEqual((await readPage(end)).places, [0]);
      const [late] = await open().query(`select id, order_no from audit_events where detail = '{"place":1}'`);
      const byNumber = await open().query(`select id from audit_events where order_no > ${late?.order_no}`);
      const byId = await open().query(`select id from audit_events where id > '${late?.id}'`);
      assert.deepEqual([byNumber, byId], [[], []]);
    });

    it('a reader waits for another one that gives positions, and then gives later ones', async () => {
      await record('user.created', 0);
      const { end } = await readPage();
      await record('user.created', 1);
      let waiting: Promise<EventReading> | undefined;
      const held = `select * from event_log for update`;
      await inOtherTransaction([held], async () => {
        waiting = read(end);
        await waitUntil('a waiting reader', async () => {
          const found = await open().query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database() and query like '%event_log%'`);
          return found.length > 0;
        });
      });
      assert.ok(waiting);
      assert.deepEqual(pageOf(await waiting).places, [1]);
    });

    it('a sweep leaves the events to its next round while a reader holds the log', async () => {
      await record('user.created', 0);
      const { end } = await readPage();
      await inOtherTransaction(['select * from event_log for update'], async () =>
        assert.equal(await sweep(inDays(91)), 0),
      );
      assert.equal(await sweep(inDays(91)), 1);
      assert.deepEqual((await readPage(end)).places, []);
    });
  }
});
