// The steps of an upload: each ends on time or when the client leaves, and what ends too late is cleaned up.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Spool } from '../../../src/files/spool/spool.ts';
import type { KnownUpload } from '../../../src/files/stored-file.ts';
import type { Examiner } from '../../../src/files/uploads/examiner.ts';
import { createWait, type Kept, keepInTime, type Wait } from '../../../src/files/uploads/upload-in-time.ts';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryRemovals,
  memorySpool,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';
import {
  examined,
  kept as keptBytes,
  never,
  settled,
  stageUpload,
  type UploadChanges,
} from '../../helpers/uploads/upload-stage.ts';

const patient = { ...uploadTimes, stepMilliseconds: 60_000, keepMilliseconds: 60_000, releaseMilliseconds: 60_000 };
const connected = new AbortController().signal;

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
        await settled();
        work.resolve('done');
        assert.equal(await waiting, isEnded ? 'FILE_INCOMPLETE' : 'done');
      }
    });
  }
});

describe('keeping a file in time', () => {
  const { removals } = memoryRemovals();
  const kept: Kept = { file: recordOf(fileId(7), 'x'), fingerprint: '' };

  it('a file that is kept in time stays, and its signal is not aborted', async () => {
    const blobs = memoryBlobs();
    let given: AbortSignal | undefined;
    const keep = async (signal: AbortSignal) => {
      given = signal;
      return kept;
    };
    assert.equal(await keepInTime({ blobs, removals, clock }, keep, createWait(patient, connected)), kept);
    await settled();
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
      keepInTime({ blobs, removals, clock }, keep, createWait({ ...patient, keepMilliseconds: 1 }, connected)),
    );
    assert.equal(failure.code, 'STORAGE_UNAVAILABLE');
    assert.deepEqual([given?.aborted, given?.reason, blobs.calls], [true, failure, []]);
    keeping.resolve(kept);
    await settled();
    assert.deepEqual(blobs.calls, [`remove ${fileId(7)}`]);
  });

  it('a file that could not be kept is not removed, and its error is thrown once', async () => {
    const blobs = memoryBlobs();
    const keep = () => Promise.reject(unavailable());
    await assert.rejects(keepInTime({ blobs, removals, clock }, keep, createWait(patient, connected)), {
      code: 'STORAGE_UNAVAILABLE',
    });
    await settled();
    assert.deepEqual(blobs.calls, []);
  });

  it('a file that is kept too late and cannot be removed is only reported once', async () => {
    const blobs = memoryBlobs({}, { remove: () => Promise.reject(unavailable()) });
    const late: Wait = () => Promise.reject(new Error('too late'));
    await assert.rejects(
      keepInTime({ blobs, removals, clock }, async () => kept, late),
      /too late/,
    );
    await settled();
  });
});

describe('an upload whose client leaves', () => {
  it('a file that was proved after its client left is not kept', async () => {
    const proved = Promise.withResolvers<void>();
    const examining = Promise.withResolvers<void>();
    const examine: Examiner['examine'] = async () => {
      examining.resolve();
      await proved.promise;
      return { examined, kept: keptBytes, fingerprint: undefined };
    };
    const { run, calls, leave } = stageUpload({ examiner: { examine } });
    const outcome = run().catch((error: Failure) => error.code);
    await examining.promise;
    leave();
    assert.equal(await outcome, 'FILE_INCOMPLETE');
    proved.resolve();
    await settled();
    assert.equal(calls(), 'admit look enter reserve take spool discard release leave');
  });

  it('the wait for the fingerprint of a repeated upload ends too', async () => {
    const known: KnownUpload = { kind: 'known', fingerprint: 'print', file: recordOf('before', 'abc') };
    const asked = Promise.withResolvers<void>();
    const fingerprint = () => {
      asked.resolve();
      return never;
    };
    const { run, leave } = stageUpload({ files: { reserve: async () => known }, examiner: { fingerprint } });
    const outcome = run().catch((error: Failure) => error.code);
    await asked.promise;
    leave();
    assert.equal(await outcome, 'FILE_INCOMPLETE');
  });

  it('the fingerprint of a repeated upload has the time limit of keeping', async () => {
    const known: KnownUpload = { kind: 'known', fingerprint: 'print', file: recordOf('before', 'abc') };
    const examiner = { fingerprint: () => never };
    const { run } = stageUpload({ files: { reserve: async () => known }, examiner, times: { keepMilliseconds: 1 } });
    await assert.rejects(run(), ({ code, cause }: Failure) => {
      assert.equal((cause as Error).message, 'proving and storing the file took too long');
      return code === 'STORAGE_UNAVAILABLE';
    });
  });

  it('the spool is discarded before the upload ends, also if its client has left', async () => {
    const discarding = Promise.withResolvers<void>();
    const write = () => never;
    const { run, calls, leave } = stageUpload({ spool: { discard: () => discarding.promise, write } });
    const outcome = run().catch((error: Failure) => error.code);
    await settled();
    leave();
    await settled();
    assert.ok(!calls().includes('release'));
    discarding.resolve();
    assert.equal(await outcome, 'FILE_INCOMPLETE');
    assert.match(calls(), /release leave$/);
  });

  it('a spool that cannot be discarded in time holds nobody up', async () => {
    const { run, calls } = stageUpload({ spool: { discard: () => never }, times: { releaseMilliseconds: 1 } });
    await run();
    assert.match(calls(), /settle leave$/);
  });
});

describe('an upload whose parts hang', () => {
  const hanging: Readonly<Record<string, UploadChanges>> = {
    'opening the spool': { blobs: { spool: () => never } },
    'writing to it': { spool: { write: () => never } },
    'proving it': { examiner: { examine: () => never } },
    'storing it': { blobs: { keep: () => never } },
    'closing it': { spool: { write: () => never, discard: () => never } },
  };
  const impatient = { stepMilliseconds: 1, keepMilliseconds: 1, releaseMilliseconds: 1 };
  for (const [step, changes] of Object.entries(hanging)) {
    it(`an upload that hangs is refused in time and releases its reservation: ${step}`, async () => {
      const { run, calls } = stageUpload({ ...changes, times: impatient });
      await assert.rejects(run(), { code: 'STORAGE_UNAVAILABLE' });
      assert.match(calls(), /release leave$/);
      assert.ok(!calls().includes('settle'), calls());
    });

    it(`an upload that hangs ends at once when its client disconnects: ${step}`, async () => {
      const { run, calls, leave } = stageUpload({ ...changes, times: { releaseMilliseconds: 1 } });
      const outcome = run().catch((error: Failure) => error.code);
      await settled();
      leave();
      assert.equal(await outcome, 'FILE_INCOMPLETE');
      assert.match(calls(), /release leave$/);
      assert.ok(!calls().includes('settle'), calls());
    });
  }

  it('a blob stored after its upload was reported as failed is removed and never recorded', async () => {
    const late = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let id = '';
    const keep = (_spool: Spool, given: string) => {
      id = given;
      asked.resolve();
      return late.promise;
    };
    const { run, calls, given, leave } = stageUpload({ blobs: { keep } });
    const outcome = run().catch((error: Failure) => error.code);
    await asked.promise;
    leave();
    assert.equal(await outcome, 'FILE_INCOMPLETE');
    assert.deepEqual(given('remove'), []);
    late.resolve();
    await settled();
    assert.deepEqual(given('remove'), [id]);
    assert.ok(!calls().includes('settle'), calls());
  });

  it('a spool that opens after its upload was reported as failed is discarded', async () => {
    const late = Promise.withResolvers<Spool>();
    const { run } = stageUpload({ blobs: { spool: () => late.promise }, times: { stepMilliseconds: 1 } });
    await assert.rejects(run(), { code: 'STORAGE_UNAVAILABLE' });
    const seen: string[] = [];
    late.resolve(memorySpool(seen));
    await settled();
    assert.deepEqual(seen, ['discard']);
  });

  it('an upload is not answered before the store has decided, once it was asked', async () => {
    const decided = Promise.withResolvers<{ kind: 'stored' }>();
    const asked = Promise.withResolvers<void>();
    const settle = () => {
      asked.resolve();
      return decided.promise;
    };
    const { run, leave } = stageUpload({ files: { settle } });
    const order: string[] = [];
    const outcome = run().then(() => order.push('answered'));
    await asked.promise;
    leave();
    await settled();
    order.push('decided');
    decided.resolve({ kind: 'stored' });
    await outcome;
    assert.deepEqual(order, ['decided', 'answered']);
  });
});
