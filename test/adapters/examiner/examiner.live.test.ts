// The examiner: files are examined in threads, a thread that dies or hangs affects only its own file, and the queue is bounded and fair.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, afterEach, describe, it } from 'node:test';
import sharp from 'sharp';
import { nestedJpeg } from '../../../media/test/helpers/worst-jpeg-files.ts';
import { worstFiles } from '../../../media/test/helpers/worst-media-files.ts';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import { createExaminer, type RunningExaminer } from '../../../src/adapters/examiner/create-examiner.ts';
import type { PoolPolicy } from '../../../src/adapters/examiner/thread-pool.ts';
import type { Spool } from '../../../src/files/spool/spool.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { hexSha256, holdBytes, makeFolder, spoolOf, spoolsIn } from '../../helpers/blobs/blobs.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { anyQuestion, examineBytes, silentLog, verdictOf } from '../../helpers/uploads/examine-bytes.ts';
import { pngFile } from '../../helpers/uploads/sample-files.ts';
import { countSlots } from '../../helpers/uploads/upload-stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const mebibyte = 2 ** 20;
const misbehaving = new URL('./misbehaving-thread.ts', import.meta.url);

describe('an examiner', () => {
  const folder = makeFolder();
  const losses: string[] = [];
  let examiner: RunningExaminer;
  const open = (changes: Partial<PoolPolicy> = {}, entry = misbehaving) => {
    losses.length = 0;
    examiner = createExaminer(silentLog, (loss) => losses.push(loss), changes, entry);
  };
  const ask = (words: string, userId?: UserId) =>
    verdictOf(examineBytes(examiner, folder, Buffer.from(words), {}, userId));
  afterEach(async () => {
    await examiner.stop();
    assert.deepEqual(await spoolsIn(`${folder}/spool`), [], 'nothing is left behind');
  });

  const misdeeds: [word: string, losses: ('time' | 'memory' | 'crash')[]][] = [
    ['loop', ['time']],
    ['regular', ['time']],
    ['half-written', ['time']],
    ['memory', ['memory']],
    ['exit', ['crash']],
    ['stack', []],
    ['throw', []],
  ];
  for (const [word, expected] of misdeeds) {
    it(`the examiner refuses only the file that makes a prover misbehave: ${word}`, async () => {
      // What ends for another reason has time for it, however slow the machine is.
      const milliseconds = expected.includes('time') ? 300 : 60_000;
      open({ cpuMilliseconds: () => milliseconds, heapMebibytes: 24 });
      const words = ['good', `${word} please`, 'well', 'fine', 'sound'];
      const verdicts = await Promise.all(words.map((text) => ask(text)));
      assert.deepEqual(verdicts, [undefined, 'FILE_CORRUPT', undefined, undefined, undefined]);
      assert.deepEqual(losses, expected);
      assert.equal(await ask('and another'), undefined);
    });
  }

  it('a file in memory has the findings of the same file on disk, and loses the same metadata', async () => {
    open();
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '48/1 12/1 0/1' } })
      .jpeg()
      .toBuffer();
    const text = Buffer.from('ein Wort <b>mit</b> Umlauten: äöü\n'.repeat(20_000));
    const blobs = createDiskBlobs(folder);
    for (const bytes of [photo, text, pngFile(), Buffer.from('<script>')]) {
      const question = { ...anyQuestion, needsFingerprint: true };
      const tell = async (spool: Spool) => {
        const found = await examiner
          .examine(asUserId('somebody'), spool, question)
          .catch((failure: Failure) => failure.code);
        return { found, content: await spool.reader.read(0, spool.size) };
      };
      const [onDisk, held] = [await spoolOf(blobs, bytes), await holdBytes(blobs, bytes)];
      const expected = await tell(onDisk);
      assert.deepEqual(await tell(held.spooled), expected);
      if (bytes === photo) assert.ok(!expected.content.includes('somebody'), 'the metadata is gone');
      await Promise.all([onDisk.discard(), held.discard()]);
    }
  });

  for (const word of ['loop', 'exit', 'throw']) {
    it(`a file in memory that makes a prover misbehave is refused, and its slot is free again: ${word}`, async () => {
      open({ cpuMilliseconds: () => 300 });
      const blobs = createDiskBlobs(folder);
      const slots = countSlots();
      const held = await holdBytes(blobs, Buffer.from(`${word} please`));
      assert.equal(await verdictOf(examiner.examine(asUserId('ann'), held.spooled, anyQuestion)), 'FILE_CORRUPT');
      await held.discard();
      assert.equal(countSlots(), slots);
    });
  }

  it('the examiner leaves no descriptor open when threads die', { skip: process.platform !== 'linux' }, async () => {
    open({ cpuMilliseconds: () => 100, threads: 1 });
    assert.equal(await ask('good'), undefined);
    const before = openDescriptors();
    for (let round = 0; round < 3; round++) assert.equal(await ask('loop'), 'FILE_CORRUPT');
    assert.equal(await ask('good'), undefined);
    assert.ok(openDescriptors() <= before + 1, `${before} before, ${openDescriptors()} after`);
  });

  it('the examiner hands no file to a thread that is being terminated', async () => {
    // The first file finishes just as its thread is found to exceed its time. The thread is terminated nevertheless.
    const cpuMilliseconds = (bytes: number) => {
      if (bytes > 10) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
      return bytes > 10 ? 0 : 10_000;
    };
    open({ cpuMilliseconds, threads: 1 });
    assert.equal(await ask('good'), undefined);
    assert.deepEqual(await Promise.all([ask('nap and be late'), ask('good')]), [undefined, undefined]);
    assert.deepEqual(losses, []);
  });

  it('the examiner limits the waiting files of one user and of all users, and says when to retry', async () => {
    open({ threads: 1, mostWaitingOfOne: 2, mostWaiting: 3 });
    const asked = [
      ask('pause', asUserId('Ann')),
      ask('good', asUserId('Ann')),
      ask('good', asUserId('Ann')),
      ask('good', asUserId('Bob')),
    ];
    await waitUntil('three files wait', () => examiner.waiting >= 3);
    assert.throws(() => examiner.admit(asUserId('Ann')), { code: 'RATE_LIMITED', detail: { retryAfterSeconds: 5 } });
    assert.equal(await ask('good', asUserId('Ann')), 'RATE_LIMITED');
    examiner.admit(asUserId('Eve'));
    asked.push(ask('good', asUserId('Eve')));
    assert.equal(await asked[2], 'SERVICE_UNAVAILABLE', 'who has most waiting gives way');
    assert.throws(() => examiner.admit(asUserId('Mia')), {
      code: 'SERVICE_UNAVAILABLE',
      detail: { retryAfterSeconds: 5 },
    });
    assert.equal(await ask('good', asUserId('Mia')), 'SERVICE_UNAVAILABLE');
    assert.deepEqual(await Promise.all(asked.toSpliced(2, 1)), [undefined, undefined, undefined, undefined]);
    examiner.admit(asUserId('Ann'));
  });

  it('the examiner does not examine a file that waited too long', async () => {
    open({ threads: 1, waitMilliseconds: 100 });
    const spools = await Promise.all(
      ['pause', 'good'].map((word) => spoolOf(createDiskBlobs(folder), Buffer.from(word), 9)),
    );
    const verdicts = spools.map((spool) => verdictOf(examiner.examine(asUserId('somebody'), spool, anyQuestion)));
    assert.deepEqual(await Promise.all(verdicts), [undefined, 'SERVICE_UNAVAILABLE']);
    for (const spool of spools) await spool.discard();
    assert.equal(await ask('good'), undefined);
  });

  it('the examiner ends running and waiting files when the service stops', async () => {
    open({ threads: 1 });
    const asked = [ask('loop'), ask('good')];
    await waitUntil('a file waits', () => examiner.waiting >= 1);
    await examiner.stop();
    assert.deepEqual(await Promise.all(asked), ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    assert.equal(await ask('good'), 'SERVICE_UNAVAILABLE');
    assert.deepEqual(losses, []);
  });

  it('the examiner refuses no file as corrupt if a thread cannot start', async () => {
    open({}, new URL('./there-is-no-such-thread.ts', import.meta.url));
    assert.equal(await ask('good'), 'SERVICE_UNAVAILABLE');
    assert.deepEqual(losses, []);
  });

  it('the examiner reports a storage failure if the spool cannot be read', async () => {
    open();
    const lost = { path: `${folder}/not-there`, size: 5 } as Parameters<RunningExaminer['examine']>[1];
    await assert.rejects(examiner.examine(asUserId('somebody'), lost, anyQuestion), { code: 'STORAGE_UNAVAILABLE' });
  });

  it('the examiner compares the digest first, and returns the fingerprint if it is requested', async () => {
    open();
    const bytes = Buffer.from('some words');
    const wrong = examineBytes(examiner, folder, Buffer.from('<html>'), { digest: 'AAAA' });
    assert.equal(await verdictOf(wrong), 'FILE_DIGEST_MISMATCH');
    const digest = Buffer.from(hexSha256(bytes), 'hex').toString('base64');
    const findings = await examineBytes(examiner, folder, bytes, { digest, needsFingerprint: true });
    assert.equal(findings.fingerprint, hexSha256(bytes));
    assert.deepEqual(findings.kept, { size: bytes.length, sha256: hexSha256(bytes) });
  });
});

describe('the worst known files', () => {
  const folder = makeFolder();
  const losses: string[] = [];
  const examiner = createExaminer(silentLog, (loss) => losses.push(loss));
  after(() => examiner.stop());

  for (const { prover, name, make, isSound } of worstFiles) {
    it(`the worst known file terminates no examiner thread: ${prover}, ${name}`, async () => {
      const verdict = await verdictOf(examineBytes(examiner, folder, make(mebibyte / 2)));
      assert.equal(verdict, isSound ? undefined : 'FILE_CORRUPT');
      assert.deepEqual(losses, []);
    });
  }

  it('a PDF of 24 MiB of runs without rows terminates no examiner thread, in one section and in a thousand', async () => {
    for (const { make } of worstFiles.filter(({ name }) => name.endsWith('runs without rows')))
      assert.equal(await verdictOf(examineBytes(examiner, folder, make(24 * mebibyte))), 'FILE_CORRUPT');
    assert.deepEqual(losses, []);
  });

  for (const depth of [4_000, 50_000]) {
    it(`a JPEG of ${depth} nested pictures terminates no examiner thread`, async () => {
      assert.equal(await verdictOf(examineBytes(examiner, folder, nestedJpeg(depth))), 'FILE_CORRUPT');
      assert.deepEqual(losses, []);
    });
  }

  it('a JPEG with a second picture behind the first is proved, and with a third behind that it is refused', async () => {
    assert.equal(await verdictOf(examineBytes(examiner, folder, nestedJpeg(1))), undefined);
    assert.equal(await verdictOf(examineBytes(examiner, folder, nestedJpeg(2))), 'FILE_CORRUPT');
  });
});

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}
