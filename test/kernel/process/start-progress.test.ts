// What a starting service says it waits for, since when, and why.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStartProgress } from '../../../src/kernel/process/start-progress.ts';

function open() {
  const clock = { now: 5000 };
  return { clock, progress: createStartProgress(() => clock.now) };
}

describe('the progress of a start', () => {
  it('a start waits for the program first', () => {
    const { clock, progress } = open();
    clock.now += 2400;
    assert.equal(progress.describe(), 'The service is starting: it has been waiting for the program for 2 s.');
  });

  it('the time starts anew with each new thing to wait for', () => {
    const { clock, progress } = open();
    clock.now += 60_000;
    progress.waitFor('the database');
    clock.now += 1500;
    assert.equal(progress.describe(), 'The service is starting: it has been waiting for the database for 2 s.');
  });

  it('the time goes on, and the cause is replaced or removed, while the thing stays the same', () => {
    const { clock, progress } = open();
    progress.waitFor('the database', 'it is refused');
    clock.now += 10_000;
    progress.waitFor('the database', 'it times out');
    assert.equal(
      progress.describe(),
      'The service is starting: it has been waiting for the database for 10 s (it times out).',
    );
    progress.waitFor('the database');
    assert.match(progress.describe(), /for 10 s\.$/);
  });
});
