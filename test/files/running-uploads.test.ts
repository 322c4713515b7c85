// The requests of uploads that run on one node: who is cut and why, and how a stop waits for them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRunningUploads } from '../../src/files/running-uploads.ts';
import { recordOf } from '../helpers/memory-files.ts';
import { never, settled } from '../helpers/upload-stage.ts';

describe('the running requests of uploads', () => {
  it('a newer append cuts the older one of the same upload, whose end does not end the newer one', async () => {
    const running = createRunningUploads();
    const [older, other] = [running.begin('a', 'ann'), running.begin('b', 'ann')];
    const newer = running.begin('a', 'ann');
    assert.deepEqual([older.signal.reason, newer.signal.aborted, other.signal.aborted], ['taken over', false, false]);
    older.end();
    void running.cut('a', 'ann', 'asked for');
    assert.equal(newer.signal.reason, 'asked for');
  });

  it('a cut resolves when the append has ended, and reaches no append of another user', async () => {
    const running = createRunningUploads();
    const append = running.begin('a', 'ann');
    await running.cut('a', 'eve', 'taken over');
    await running.cut('b', 'ann', 'taken over');
    assert.equal(append.signal.aborted, false);
    let isEnded = false;
    const cutting = running.cut('a', 'ann', 'asked for').then(() => {
      isEnded = true;
    });
    await settled();
    assert.equal(isEnded, false);
    append.end();
    await cutting;
  });

  it('a finish is shared while it runs, and can be repeated after it', async () => {
    const running = createRunningUploads();
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const step = { kind: 'stored', file: recordOf('fil_1', ''), received: 1 } as const;
    const work = async () => {
      runs += 1;
      await promise;
      return step;
    };
    const [one, two] = [running.finish('a', work), running.finish('a', work)];
    assert.equal(running.finishing('a'), one);
    resolve();
    assert.deepEqual([await one, await two, runs], [step, step, 1]);
    assert.equal(running.finishing('a'), undefined);
    await running.finish('a', work);
    assert.equal(runs, 2);
  });

  it('a stop cuts what runs and what begins, and waits for all of it but not for ever', async () => {
    const running = createRunningUploads();
    const before = running.begin('a', 'ann');
    running.stop();
    const later = running.begin('b', 'ann');
    assert.deepEqual([before.signal.reason, later.signal.reason], ['stopping', 'stopping']);
    before.end();
    later.end();
    running.follow(Promise.reject(new Error('noticed by others')));
    await running.settled(60_000);
    running.follow(never);
    await running.settled(1);
  });
});
