// Small blobs in memory: read once, bounded, the least recently used are evicted first, and a short read is never kept.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { createSmallBlobs, smallBytes } from '../../src/files/small-blobs.ts';

function countingBlobs(content: (id: string) => Buffer) {
  const reads: string[] = [];
  return {
    reads,
    read: async (id: string) => {
      reads.push(id);
      return Readable.from([content(id)], { objectMode: false });
    },
  };
}

describe('small blobs', () => {
  it('a small blob is read from the storage once', async () => {
    const blobs = countingBlobs((id) => Buffer.from(`content of ${id}`));
    const small = createSmallBlobs(blobs);
    for (let round = 0; round < 3; round++) assert.equal((await small('a', 12)).toString(), 'content of a');
    assert.equal((await small('b', 12)).toString(), 'content of b');
    assert.deepEqual(blobs.reads, ['a', 'b']);
  });

  it('small blobs take at most 8 MiB, and the most recently used stay', async () => {
    const blobs = countingBlobs(() => Buffer.alloc(smallBytes));
    const small = createSmallBlobs(blobs);
    const fitting = (8 * 1024 * 1024) / smallBytes;
    for (let index = 0; index < fitting; index++) await small(`blob ${index}`, smallBytes);
    await small('blob 0', smallBytes);
    assert.equal(blobs.reads.length, fitting);
    await small('one more', smallBytes);
    await small('blob 0', smallBytes);
    assert.equal(blobs.reads.length, fitting + 1);
    await small('blob 1', smallBytes);
    assert.equal(blobs.reads.length, fitting + 2);
  });

  it('a small blob that is read short is an error and is read again', async () => {
    let content = Buffer.from('half');
    const blobs = countingBlobs(() => content);
    const small = createSmallBlobs(blobs);
    await assert.rejects(small('a', 8), { code: 'STORAGE_UNAVAILABLE' });
    content = Buffer.from('half and');
    assert.equal((await small('a', 8)).toString(), 'half and');
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
    await assert.rejects(small('a', 8), { code: 'STORAGE_UNAVAILABLE' });
  });
});
