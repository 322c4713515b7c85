// A start that waits for the database: what is said and logged, how often, and what is retried.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../src/kernel/failure.ts';
import { createWaitReporter, retryWhileAway } from '../../src/service/report-waiting.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function open(databaseUrl: string | undefined) {
  const clock = { now: 0 };
  const said: string[] = [];
  const logged: unknown[] = [];
  const waits: (string | undefined)[][] = [];
  const refuse = () => assert.fail('only warnings');
  const report = createWaitReporter(
    { databaseUrl },
    { waitFor: (what, cause) => void waits.push([what, cause]), describe: () => '' },
    { debug: refuse, info: refuse, error: refuse, warn: (event, facts) => void logged.push([event, facts]) },
    (text) => said.push(text),
    () => clock.now,
  );
  return { clock, said, logged, waits, report };
}

describe('a start that waits for PostgreSQL', () => {
  const url = 'postgres://ann:hunter2@db/x';

  it('says and logs the place, the cause and the cure at once, without a password', () => {
    const { said, logged, waits, report } = open(url);
    report(refused);
    assert.deepEqual(said, [
      'Gatehouse waits for PostgreSQL at db:5432: the connection was refused, ECONNREFUSED. To cure it: start PostgreSQL there, or correct host and port in DATABASE_URL.',
    ]);
    assert.deepEqual(waits, [['the database', 'the connection was refused, ECONNREFUSED']]);
    assert.equal(logged.length, 1);
    assert.doesNotMatch(JSON.stringify([said, logged]), /hunter2/);
  });

  it('says it again after 10, 20, 30 and then every 60 seconds, and notes each attempt', () => {
    const { clock, said, waits, report } = open(url);
    const times: number[] = [];
    for (clock.now = 0; clock.now <= 260_000; clock.now += 1000) {
      const before = said.length;
      report(refused);
      if (said.length > before) times.push(clock.now / 1000);
    }
    assert.deepEqual(times, [0, 10, 30, 60, 120, 180, 240]);
    assert.equal(waits.length, 261);
  });

  it('says nothing on SQLite, and notes that another process has the database', () => {
    const { said, logged, waits, report } = open(undefined);
    report(refused);
    assert.deepEqual([said, logged], [[], []]);
    assert.deepEqual(waits, [['the database', 'another process uses it']]);
  });
});

describe('work that waits for the database', () => {
  const away = new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });

  it('is tried again while the database is away, and each failure is reported', async () => {
    let tries = 0;
    const waits: unknown[] = [];
    const work = async () => {
      tries += 1;
      if (tries < 3) throw away;
      return 'done';
    };
    assert.equal(await retryWhileAway(work, (error) => waits.push(error), 0), 'done');
    assert.deepEqual(waits, [away, away]);
  });

  for (const error of [
    new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }),
    new Error('SERVICE_UNAVAILABLE'),
  ]) {
    it(`is not tried again after ${error.constructor.name} ${error.message}`, () =>
      assert.rejects(
        retryWhileAway(
          () => Promise.reject(error),
          () => assert.fail('waits'),
          0,
        ),
        error,
      ));
  }
});
