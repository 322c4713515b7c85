// Copying a blob: only the recorded bytes arrive, whatever the source gives, and no spool or stream is left open.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { copyBlob, isBlobSound } from '../../../src/files/storage/copy-blob.ts';
import { memoryBlobs, memorySpool, recordOf, unavailable } from '../../helpers/blobs/memory-files.ts';

const file = recordOf('a', 'hello');

/** A source whose stream gives these chunks, and then breaks if it is told to. */
function sourceOf(chunks: readonly string[], breaks = false) {
  const asked: unknown[] = [];
  const streams: Readable[] = [];
  const pieces = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
    if (breaks) throw new Error('the disk is broken');
  };
  const read: BlobStore['read'] = async (...question) => {
    asked.push(question);
    const stream = Readable.from(pieces(), { objectMode: false });
    streams.push(stream);
    return stream;
  };
  return { blobs: memoryBlobs({}, { read }), asked, streams };
}

describe('copying a blob', () => {
  for (const [what, chunks, breaks, outcome] of [
    ['the recorded bytes are copied', ['hello'], false, 'copied'],
    ['the recorded bytes are copied from several pieces', ['he', 'l', 'lo'], false, 'copied'],
    ['other bytes of the same size are damaged', ['hellO'], false, 'damaged'],
    ['a blob cut short is damaged', ['hell'], false, 'damaged'],
    ['a blob with bytes after its end is damaged', ['hello', '!'], false, 'damaged'],
    ['an empty blob is damaged', [], false, 'damaged'],
    ['a source that breaks at once is unreadable', [], true, 'unreadable'],
    ['a source that breaks after all bytes is unreadable', ['hello'], true, 'unreadable'],
  ] as const) {
    it(what, async () => {
      const { blobs, asked, streams } = sourceOf(chunks, breaks);
      const target = memoryBlobs();
      assert.equal(await copyBlob(blobs, target, file), outcome);
      assert.deepEqual(asked, [['a', { start: 0, end: 4 }, 5]]);
      assert.deepEqual(target.calls, outcome === 'copied' ? ['keep a', 'discard'] : ['discard']);
      assert.equal(target.contents.get('a')?.bytes.toString(), outcome === 'copied' ? 'hello' : undefined);
      assert.ok(streams.every(({ destroyed }) => destroyed));
    });
  }

  it('a hash that fits bytes of another size is not believed', async () => {
    const { blobs } = sourceOf(['hello!']);
    const record = { ...file, sha256: hash('sha256', 'hello!') };
    assert.equal(await copyBlob(blobs, memoryBlobs(), record), 'damaged');
  });

  it('a blob that the source does not have is unreadable, and opens no spool', async () => {
    const target = memoryBlobs();
    assert.equal(await copyBlob(memoryBlobs(), target, file), 'unreadable');
    assert.deepEqual(target.calls, []);
  });

  it('an error of the source that is no failure of the storage is thrown', async () => {
    const read = () => Promise.reject(new TypeError('a fault of ours'));
    await assert.rejects(copyBlob(memoryBlobs({}, { read }), memoryBlobs(), file), TypeError);
  });

  for (const [what, changes] of [
    ['writing', { write: () => Promise.reject(unavailable()) }],
    ['keeping', {}],
  ] as const) {
    it(`an error of the target is thrown, and leaves no spool and no stream: ${what}`, async () => {
      const { blobs, streams } = sourceOf(['hello']);
      const calls: string[] = [];
      const target = memoryBlobs(
        {},
        {
          spool: async () => memorySpool(calls, changes),
          keep: () => Promise.reject(unavailable()),
        },
      );
      await assert.rejects(copyBlob(blobs, target, file), { code: 'STORAGE_UNAVAILABLE' });
      assert.deepEqual(calls, ['discard']);
      assert.ok(streams.every(({ destroyed }) => destroyed));
    });
  }
});

describe('the soundness of a blob', () => {
  for (const [what, chunks, breaks, expected] of [
    ['the recorded bytes are sound', ['hel', 'lo'], false, true],
    ['other bytes are not sound', ['hellO'], false, false],
    ['a source that breaks is not sound', ['hello'], true, false],
  ] as const) {
    it(what, async () => {
      const { blobs, asked } = sourceOf(chunks, breaks);
      assert.equal(await isBlobSound(blobs, file), expected);
      assert.deepEqual(asked, [['a', { start: 0, end: 4 }, 5]]);
    });
  }

  it('a blob that is missing is not sound', async () => {
    assert.equal(await isBlobSound(memoryBlobs(), file), false);
  });

  it('an error that is no failure of the storage is thrown', async () => {
    const read = () => Promise.reject(new TypeError('a fault of ours'));
    await assert.rejects(isBlobSound(memoryBlobs({}, { read }), file), TypeError);
  });
});
