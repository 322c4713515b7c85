// The steps of an upload: each ends on time or when the client leaves, and what ends too late is cleaned up.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Spool } from '../../src/files/blob-store.ts';
import {
  createWait,
  type Kept,
  keepInTime,
  openInTime,
  type Wait,
  writeInTime,
} from '../../src/files/upload-in-time.ts';
import { uploadTimes } from '../../src/files/upload-times.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { memoryBlobs, memorySpool, recordOf, unavailable } from '../helpers/memory-files.ts';

const never = new Promise<never>(() => undefined);
const patient = { ...uploadTimes, stepMilliseconds: 60_000, keepMilliseconds: 60_000, releaseMilliseconds: 60_000 };
const connected = new AbortController().signal;

/** Lets every promise that can settle do so. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn();
}

async function failureOf(work: Promise<unknown>): Promise<Failure & { cause?: Error }> {
  return work.then(
    () => assert.fail('it did not fail'),
    (error: Failure & { cause?: Error }) => error,
  );
}

describe('a step of an upload', () => {
  for (const [step, reason] of [
    ['step', 'the disk of uploads under way took too long'],
    ['keep', 'proving and storing the file took too long'],
    ['release', 'the disk of uploads under way took too long'],
  ] as const) {
    it(`the time limit of “${step}” is its own, and its end names the part that was slow`, async () => {
      const wait = createWait({ ...patient, [`${step}Milliseconds`]: 1 }, connected);
      const failure = await failureOf(wait(never, step));
      assert.deepEqual([failure.code, failure.detail], ['STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }]);
      assert.equal(failure.cause?.message, reason);
    });
  }

  it('a step that ends in time gives its result or its own error', async () => {
    const wait = createWait(patient, connected);
    assert.equal(await wait(Promise.resolve(5), 'step'), 5);
    await assert.rejects(wait(Promise.reject(unavailable()), 'keep'), { code: 'STORAGE_UNAVAILABLE' });
  });

  for (const [step, isEnded] of [
    ['step', true],
    ['keep', true],
    ['release', false],
  ] as const) {
    it(`a client that leaves ${isEnded ? 'ends' : 'does not end'} “${step}”`, async () => {
      for (const isEarly of [true, false]) {
        const client = new AbortController();
        if (isEarly) client.abort();
        const wait = createWait(patient, client.signal);
        const work = Promise.withResolvers<string>();
        const waiting = wait(work.promise, step).catch((failure: Failure) => failure.code);
        client.abort();
        await settle();
        work.resolve('done');
        assert.equal(await waiting, isEnded ? 'FILE_INCOMPLETE' : 'done');
      }
    });
  }
});

describe('the spool of an upload in time', () => {
  it('a spool that opens in time is handed over, and stays open', async () => {
    const blobs = memoryBlobs();
    const spool = await openInTime(blobs, createWait(patient, connected));
    await settle();
    assert.deepEqual([spool.size, blobs.calls], [0, []]);
  });

  const refuse: Wait = () => Promise.reject(unavailable());

  it('a spool that opens too late is discarded', async () => {
    const opening = Promise.withResolvers<Spool>();
    const calls: string[] = [];
    await assert.rejects(openInTime({ spool: () => opening.promise }, refuse), { code: 'STORAGE_UNAVAILABLE' });
    assert.deepEqual(calls, []);
    opening.resolve(memorySpool(calls));
    await settle();
    assert.deepEqual(calls, ['discard']);
  });

  it('a spool that never opens, or cannot be discarded, is only reported once', async () => {
    const broken = () => Promise.reject(new Error('no disk'));
    await assert.rejects(openInTime({ spool: broken }, createWait(patient, connected)), /no disk/);
    const stuck = memorySpool([], { discard: () => Promise.reject(new Error('no disk')) });
    await assert.rejects(openInTime({ spool: async () => stuck }, refuse), { code: 'STORAGE_UNAVAILABLE' });
    await settle();
  });

  it('the opening of a spool and each write are a “step”', async () => {
    const steps: string[] = [];
    const wait: Wait = (work, step) => {
      steps.push(step);
      return work;
    };
    const spool = await openInTime(memoryBlobs(), wait);
    const timed = writeInTime(spool, wait);
    await timed.write(Buffer.from('abc'));
    await timed.write(Buffer.from('de'));
    assert.deepEqual([steps, timed.size, spool.size], [['step', 'step', 'step'], 5, 5]);
  });
});

describe('keeping a file in time', () => {
  const kept: Kept = { file: recordOf('a', 'x'), fingerprint: '' };

  it('a file that is kept in time stays, and its signal is not aborted', async () => {
    const blobs = memoryBlobs();
    let given: AbortSignal | undefined;
    const keep = async (signal: AbortSignal) => {
      given = signal;
      return kept;
    };
    assert.equal(await keepInTime({ blobs }, keep, createWait(patient, connected)), kept);
    await settle();
    assert.deepEqual([given?.aborted, blobs.calls], [false, []]);
  });

  it('a file that is kept too late is aborted with the reason, and removed if it was stored anyway', async () => {
    const blobs = memoryBlobs();
    const keeping = Promise.withResolvers<Kept>();
    let given: AbortSignal | undefined;
    const keep = (signal: AbortSignal) => {
      given = signal;
      return keeping.promise;
    };
    const failure = await failureOf(
      keepInTime({ blobs }, keep, createWait({ ...patient, keepMilliseconds: 1 }, connected)),
    );
    assert.equal(failure.code, 'STORAGE_UNAVAILABLE');
    assert.deepEqual([given?.aborted, given?.reason, blobs.calls], [true, failure, []]);
    keeping.resolve(kept);
    await settle();
    assert.deepEqual(blobs.calls, ['remove a']);
  });

  it('a file that could not be kept is not removed, and its error is thrown once', async () => {
    const blobs = memoryBlobs();
    const keep = () => Promise.reject(unavailable());
    await assert.rejects(keepInTime({ blobs }, keep, createWait(patient, connected)), { code: 'STORAGE_UNAVAILABLE' });
    await settle();
    assert.deepEqual(blobs.calls, []);
  });

  it('a file that is kept too late and cannot be removed is only reported once', async () => {
    const blobs = memoryBlobs({}, { remove: () => Promise.reject(unavailable()) });
    const late: Wait = () => Promise.reject(new Error('too late'));
    await assert.rejects(
      keepInTime({ blobs }, async () => kept, late),
      /too late/,
    );
    await settle();
  });
});
