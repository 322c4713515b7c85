// Small blobs in memory: read once, bounded, the least recently used are evicted first, and a short read is never kept.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { createSmallBlobs, smallBytes } from '../../../src/files/storage/small-blobs.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { asFileId } from '../../helpers/people/ids.ts';

function countingBlobs(content: (id: string) => Buffer) {
  const reads: string[] = [];
  const asked: unknown[] = [];
  return {
    reads,
    asked,
    read: async (id: string, range: object, size: number) => {
      reads.push(id);
      asked.push([range, size]);
      return Readable.from([content(id)], { objectMode: false });
    },
  };
}

describe('small blobs', () => {
  it('a small blob is read from the storage once', async () => {
    const blobs = countingBlobs((id) => Buffer.from(`content of ${id}`));
    const small = createSmallBlobs(blobs);
    for (let round = 0; round < 3; round++) assert.equal((await small(asFileId('a'), 12)).toString(), 'content of a');
    assert.ok(Buffer.isBuffer(small(asFileId('a'), 12)), 'what is in memory is there at once');
    assert.equal((await small(asFileId('b'), 12)).toString(), 'content of b');
    assert.deepEqual(blobs.reads, ['a', 'b']);
    assert.deepEqual(
      blobs.asked,
      [1, 2].map(() => [{ start: 0, end: 11 }, 12]),
    );
  });

  it('small blobs take at most 8 MiB, and the most recently used stay', async () => {
    const blobs = countingBlobs(() => Buffer.alloc(smallBytes));
    const small = createSmallBlobs(blobs);
    const fitting = (8 * 1024 * 1024) / smallBytes;
    for (let index = 0; index < fitting; index++) await small(asFileId(`blob ${index}`), smallBytes);
    await small(asFileId('blob 0'), smallBytes);
    assert.equal(blobs.reads.length, fitting);
    await small(asFileId('one more'), smallBytes);
    await small(asFileId('blob 0'), smallBytes);
    assert.equal(blobs.reads.length, fitting + 1);
    await small(asFileId('blob 1'), smallBytes);
    assert.equal(blobs.reads.length, fitting + 2);
  });

  it('a small blob that is read short is an error and is read again', async () => {
    let content = Buffer.from('half');
    const blobs = countingBlobs(() => content);
    const small = createSmallBlobs(blobs);
    await assert.rejects(
      async () => small(asFileId('a'), 8),
      ({ code, detail, cause }: Failure) => {
        assert.deepEqual([code, detail], ['STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }]);
        return (cause as Error).message === 'a blob does not have the recorded size';
      },
    );
    content = Buffer.from('half and');
    assert.equal((await small(asFileId('a'), 8)).toString(), 'half and');
  });

  it('a small blob whose source breaks is an error', async () => {
    const small = createSmallBlobs({
      read: async () =>
        new Readable({
          read() {
            this.destroy(new Error('broken'));
          },
        }),
    });
    await assert.rejects(async () => small(asFileId('a'), 8), { code: 'STORAGE_UNAVAILABLE' });
  });
});
