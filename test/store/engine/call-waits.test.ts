// How many calls may wait for the database, as a table, and which time counts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callWaits, countedMilliseconds, mostInQueue, type Queue } from '../../../src/store/engine/call-waits.ts';

describe('the queue for the database', () => {
  const postgres = { batchesAtOnce: 2, perBatch: 256 };
  const sqlite = { batchesAtOnce: 1, perBatch: 512 };
  const cases: { name: string; queue: Queue; most: number }[] = [
    { name: 'batches that take no time', queue: { ...postgres, running: 2, batchMilliseconds: 0 }, most: 10_000 },
    { name: 'quick batches', queue: { ...postgres, running: 2, batchMilliseconds: 100 }, most: 10_000 },
    { name: 'batches of a second', queue: { ...postgres, running: 2, batchMilliseconds: 1000 }, most: 1536 },
    { name: 'batches as long as a turn', queue: { ...postgres, running: 2, batchMilliseconds: 3000 }, most: 512 },
    { name: 'batches that hang', queue: { ...postgres, running: 2, batchMilliseconds: 3100 }, most: 0 },
    { name: 'one batch that hangs', queue: { ...postgres, running: 1, batchMilliseconds: 3100 }, most: 256 },
    { name: 'a slow batch that has ended', queue: { ...sqlite, running: 0, batchMilliseconds: 4000 }, most: 512 },
    { name: 'a slow disk', queue: { ...sqlite, running: 1, batchMilliseconds: 1500 }, most: 1024 },
  ];
  for (const { name, queue, most } of cases)
    it(`behind ${name} ${most} calls may wait`, () => assert.equal(mostInQueue(queue, callWaits), most));

  it('a time in which the process did not run counts as three ticks', () => {
    assert.equal(countedMilliseconds(120, callWaits), 120);
    assert.equal(countedMilliseconds(60_000, callWaits), 300);
  });

  it('a batch that begins has time left, and more than a statement on the server may take', () => {
    assert.ok(callWaits.callMilliseconds - callWaits.turnMilliseconds >= 2000);
    assert.ok(callWaits.callMilliseconds > 3000);
  });
});
