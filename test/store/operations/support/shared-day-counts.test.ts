// Readers of the counts of each day who come together share one look into the database.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Transaction } from '../../../../src/store/engine/transaction.ts';
import { readDayCounts } from '../../../../src/store/operations/support/day-counts.ts';

it('twenty readers of one day cost one query, and a reader of another day has one of its own', async () => {
  let queries = 0;
  const transaction = {
    all: async () => {
      queries += 1;
      return [{ is_event: 1, day: 20_000, kind: 'login.succeeded', channel: '', amount: 3, size: 0 }];
    },
  } as unknown as Transaction;
  const now = Date.UTC(2031, 4, 5);
  const readers = Array.from({ length: 20 }, (_, at) => ({ sinceDay: 19_990, now: now + at }));
  const answers = await readDayCounts.run(transaction, readers);
  assert.equal(queries, 1);
  assert.equal(answers.length, 20);
  for (const answer of answers) assert.deepEqual(answer, [{ day: 20_000, kind: 'signIns', amount: 3 }]);
  assert.deepEqual(
    await readDayCounts.run(transaction, [...readers, { sinceDay: 20_001, now }]).then((all) => all[20]),
    [],
  );
  assert.equal(queries, 3);
});
