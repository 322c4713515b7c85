// The requests of uploads that run on one node: who is cut and why, and how a stop waits for them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRunningUploads } from '../../../src/files/resumable/running-uploads.ts';
import type { UploadId } from '../../../src/kernel/ids.ts';
import { recordOf } from '../../helpers/blobs/memory-files.ts';
import { asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { never, settled } from '../../helpers/uploads/upload-stage.ts';

const question = (uploadId: UploadId) =>
  ({ uploadId, userId: asUserId('ann'), reason: 'asked for', milliseconds: 60_000 }) as const;

describe('the running requests of uploads', () => {
  it('a newer append cuts the older one of the same upload, whose end does not end the newer one', async () => {
    const running = createRunningUploads();
    const [older, other] = [
      running.begin(asUploadId('a'), asUserId('ann'), performance.now()),
      running.begin(asUploadId('b'), asUserId('ann'), performance.now()),
    ];
    const newer = running.begin(asUploadId('a'), asUserId('ann'), performance.now());
    assert.deepEqual([older.signal.reason, newer.signal.aborted, other.signal.aborted], ['taken over', false, false]);
    assert.deepEqual([older.isOvertaken(), newer.isOvertaken(), other.isOvertaken()], [true, false, false]);
    older.end();
    const asking = running.ask(question(asUploadId('a')), async () => undefined);
    assert.deepEqual([newer.signal.reason, newer.isOvertaken()], ['asked for', false]);
    newer.end();
    await asking;
  });

  it('a question is answered when the append has ended, and reaches no append of another user', async () => {
    const running = createRunningUploads();
    const append = running.begin(asUploadId('a'), asUserId('ann'), performance.now());
    const stranger = running.begin(asUploadId('a'), asUserId('eve'), performance.now());
    stranger.end();
    await running.ask({ ...question(asUploadId('a')), userId: asUserId('eve') }, async () => undefined);
    await running.ask(question(asUploadId('b')), async () => undefined);
    assert.equal(append.signal.aborted, false);
    let isAnswered = false;
    const asking = running.ask(question(asUploadId('a')), async () => {
      isAnswered = true;
    });
    await settled();
    assert.equal(isAnswered, false);
    append.end();
    await asking;
    assert.ok(isAnswered && !append.isOvertaken());
  });

  it('an append that does not end in time is overtaken before the answer, and the question waits no longer', async () => {
    const running = createRunningUploads();
    const append = running.begin(asUploadId('a'), asUserId('ann'), performance.now());
    const isOvertaken = await running.ask({ ...question(asUploadId('a')), milliseconds: 1 }, async () =>
      append.isOvertaken(),
    );
    assert.equal(isOvertaken, true);
  });

  it('an append that comes before the answer is overtaken at once; one that comes after it is not', async () => {
    const running = createRunningUploads();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asking = running.ask(question(asUploadId('a')), () => promise);
    const [early, other, stranger] = [
      running.begin(asUploadId('a'), asUserId('ann'), performance.now()),
      running.begin(asUploadId('b'), asUserId('ann'), performance.now()),
      running.begin(asUploadId('a'), asUserId('eve'), performance.now()),
    ];
    assert.deepEqual([early.isOvertaken(), other.isOvertaken(), stranger.isOvertaken()], [true, false, false]);
    early.end();
    resolve();
    await asking;
    assert.equal(running.begin(asUploadId('a'), asUserId('ann'), performance.now()).isOvertaken(), false);
  });

  it('a request that came before the answer is overtaken, however late it learns its upload', async () => {
    const time = { now: 1000 };
    const running = createRunningUploads(undefined, () => time.now);
    await running.ask(question(asUploadId('a')), async () => undefined);
    for (const [uploadId, arrivedAt, isOvertaken] of [
      ['a', 999, true],
      ['a', 1000, true],
      ['a', 1001, false],
      ['b', 999, false],
    ] as const)
      assert.equal(
        running.begin(asUploadId(uploadId), asUserId('ann'), arrivedAt).isOvertaken(),
        isOvertaken,
        `${uploadId} ${arrivedAt}`,
      );
    time.now += 30_000;
    await running.ask(question(asUploadId('c')), async () => undefined);
    assert.equal(
      running.begin(asUploadId('a'), asUserId('ann'), 999).isOvertaken(),
      false,
      'it is remembered for half a minute',
    );
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
    const [one, two] = [running.finish(asUploadId('a'), work), running.finish(asUploadId('a'), work)];
    assert.equal(running.finishing(asUploadId('a')), one);
    resolve();
    assert.deepEqual([await one, await two, runs], [step, step, 1]);
    assert.equal(running.finishing(asUploadId('a')), undefined);
    await running.finish(asUploadId('a'), work);
    assert.equal(runs, 2);
  });

  it('a stop cuts what runs and what begins, and waits for all of it but not for ever', async () => {
    const running = createRunningUploads();
    const before = running.begin(asUploadId('a'), asUserId('ann'), performance.now());
    running.stop();
    const later = running.begin(asUploadId('b'), asUserId('ann'), performance.now());
    assert.deepEqual([before.signal.reason, later.signal.reason], ['stopping', 'stopping']);
    before.end();
    later.end();
    running.follow(Promise.reject(new Error('noticed by others')));
    await running.settled(60_000);
    running.follow(never);
    await running.settled(1);
  });
});
