// Contract of the counts of each day: every event once, whoever counts, and the newest ones when somebody reads.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { firstIdAt } from '../../../../src/kernel/crypto/random.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { type DayCountStore, dayOf } from '../../../../src/support/day-counts.ts';
import { openNode } from '../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const midnight = Date.UTC(2131, 4, 5);
const today = dayOf(midnight);

onEveryStore('the counts of each day', (open, kind) => {
  const counts = () => createOperatorPorts(open().store).dayCounts;
  let made = 0;

  async function write(kind: string, at: number, detail = '{}') {
    made += 1;
    const id = firstIdAt(at).slice(0, 24) + String(made).padStart(12, '0');
    await open().query(
      `insert into audit_events (id, kind, detail, created_at) values ('${id}', '${kind}', '${detail}', ${at})`,
    );
  }

  const read = async (now = midnight, sinceDay = today - 29) =>
    (await counts().readDayCounts({ sinceDay, now })).map(
      ({ day: at, kind, amount }) => `${at - today} ${kind} ${amount}`,
    );

  it('an event is read at once, counted once after it has settled, and then read as before', async () => {
    assert.deepEqual(await read(), []);
    assert.equal(await counts().countEvents({ now: midnight, most: 100 }), 0);
    await write('login.succeeded', midnight - 1);
    await write('message.sent', midnight + 1, '{"channel":"sms"}');
    await write('file.stored', midnight + 2, '{"size":41}');
    const expected = ['-1 signIns 1', '0 sms 1', '0 files 1', '0 bytes 41'];
    assert.deepEqual(await read(), expected);
    assert.equal(await counts().countEvents({ now: midnight + 4 * minute, most: 100 }), 0, 'not settled');
    assert.equal(await counts().countEvents({ now: midnight + 6 * minute, most: 2 }), 2, 'a step at a time');
    assert.deepEqual(await read(), expected);
    assert.equal(await counts().countEvents({ now: midnight + 6 * minute, most: 100 }), 1);
    assert.equal(await counts().countEvents({ now: midnight + day, most: 100 }), 0, 'nothing is counted twice');
    assert.deepEqual(await read(), expected);
    assert.deepEqual(await read(midnight, today), expected.slice(1), 'only the days that were asked for');
  });

  /** Another node with the same database. */
  async function withNode<T>(work: (dayCounts: DayCountStore) => Promise<T>): Promise<T> {
    const node = await openNode(kind, open().address, assert.fail);
    try {
      return await work(createOperatorPorts(node).dayCounts);
    } finally {
      await node.close();
    }
  }

  it('two nodes that count at the same time count each event once', async () => {
    for (let at = 0; at < 50; at++) await write('user.created', midnight + day + at);
    const steps = await withNode((other) =>
      Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? counts() : other).countEvents({ now: midnight + 2 * day, most: 7 }),
        ),
      ),
    );
    assert.equal(
      steps.reduce((sum, count) => sum + count),
      50,
    );
    assert.deepEqual(await read(midnight + day, today + 1), ['1 signUps 50']);
  });

  it('a node that starts later goes on where the count has stopped', async () => {
    await write('otp.failed', midnight + 3 * day);
    await counts().countEvents({ now: midnight + 4 * day, most: 100 });
    await write('otp.failed', midnight + 3 * day + 1);
    assert.deepEqual(await read(midnight + 3 * day, today + 3), ['3 wrongCodes 2']);
    assert.equal(await withNode((node) => node.countEvents({ now: midnight + 4 * day, most: 100 })), 1);
    assert.deepEqual(await read(midnight + 3 * day, today + 3), ['3 wrongCodes 2']);
  });

  it('new events are summed as they are counted later, whatever their details are', async () => {
    const at = midnight + 5 * day;
    for (const detail of ['{"size":900719925474099}', '{"size":2}', '{"size":"7"}', '{"size":-3}', '{"size":{}}', '{}'])
      await write('file.stored', at, detail);
    const quoted = JSON.stringify({ to: '"channel":"sms"' });
    for (const detail of ['{"channel":"sms"}', '{"channel":"mail"}', '{"channel":7}', quoted, '{}'])
      await write('message.sent', at, detail);
    await write('login.succeeded', at, '{"size":5,"channel":"sms"}');
    for (const other of ['a kind of a later version', 'constructor', '__proto__']) await write(other, at, '{"sms":1}');
    const expected = ['5 signIns 1', '5 sms 1', '5 mails 1', '5 files 6', '5 bytes 900719925474101'];
    assert.deepEqual(await read(at, today + 5), expected);
    assert.equal(await counts().countEvents({ now: midnight + 6 * day, most: 100 }), 15);
    assert.deepEqual(await read(at, today + 5), expected);
  });

  it('the counts outlive the audit events, and are swept after ninety days', async () => {
    const before = await read();
    await open().query('delete from audit_events');
    assert.deepEqual(await read(), before);
    const sweep = { target: 'dayCounts', most: 500, accessTokenLifeSeconds: 900 } as const;
    const sweepAt = async (now: number) => (await open().store.call('tables.sweep', { ...sweep, now })).removed;
    assert.equal(await sweepAt(midnight + 89 * day), 0);
    assert.ok((await sweepAt(midnight + 100 * day)) > 0);
    assert.deepEqual(await read(), []);
  });
});
