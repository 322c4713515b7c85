// Keeping variants: what is read, made, kept and remembered, who waits for it, and what happens to a deleted file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { lossless, webp } from '../../../media/test/helpers/webp-builder.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import type { VariantMaker } from '../../../src/files/variants/variant-maker.ts';
import { createVariants } from '../../../src/files/variants/variants.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import {
  fileId,
  memoryBlobs,
  memoryFiles,
  memoryLog,
  memoryRemovals,
  noon,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';

const hour = 3_600_000;
const file = recordOf(fileId(1), 'picture', { type: 'image/png' });
const source = { file, variant: { size: '32', format: 'webp' as const }, maxPixels: 77 };
const name = '32-1.webp';
const key = `${file.id}/${name}`;
const bytes = Buffer.from('made');
const here = new AbortController().signal;

type Changes = { make?: VariantMaker['make']; blobs?: Partial<BlobStore>; isDeleted?: boolean; isTrashed?: boolean };

function stage({ make, blobs: changes, isDeleted = false, isTrashed = false }: Changes = {}) {
  const asked: unknown[] = [];
  const joined: string[] = [];
  const blobs = memoryBlobs({ [file.id]: 'picture' }, changes);
  const { log, lines } = memoryLog();
  const time = { now: noon };
  const variants = createVariants({
    blobs,
    removals: memoryRemovals().removals,
    files: memoryFiles(isDeleted ? [] : [isTrashed ? { ...file, deletedAt: noon } : file]),
    clock: { now: () => time.now },
    log,
    variantMaker: {
      make: async (parties, order, open, signal) => {
        asked.push([parties, order]);
        return make === undefined ? bytes : make(parties, order, open, signal);
      },
      join: ({ caller }) => joined.push(caller),
    },
  });
  return { variants, blobs, asked, joined, lines, time };
}

describe('variants', () => {
  it('a variant is made once, kept, and then taken from memory', async () => {
    const { variants, blobs, asked } = stage();
    assert.equal(await variants.get(source, 'ann', here), bytes);
    assert.equal(await variants.get(source, 'ben', here), bytes);
    const order = { size: '32', format: 'webp', maxPixels: 77, pixels: 77 };
    assert.deepEqual(asked, [[{ owner: file.userId, caller: 'ann' }, order]]);
    assert.equal(blobs.variants.get(key), bytes);
  });

  it('a kept variant is read and not made', async () => {
    const { variants, blobs, asked } = stage();
    const kept = webp(lossless(32, 32));
    blobs.variants.set(key, kept);
    assert.equal(await variants.get(source, 'ann', here), kept);
    assert.deepEqual(asked, []);
  });

  it('a kept variant that is empty or cut is made again', async () => {
    for (const cut of [Buffer.alloc(0), webp(lossless(32, 32)).subarray(0, 20)]) {
      const { variants, blobs } = stage();
      blobs.variants.set(key, cut);
      assert.equal(await variants.get(source, 'ann', here), bytes);
      assert.equal(blobs.variants.get(key), bytes);
    }
  });

  it('the maker gets the local copy of the blob when it asks for it', async () => {
    const { variants } = stage({
      make: async (_user, _order, open) => Buffer.from((await open()).path),
    });
    assert.equal(String(await variants.get(source, 'ann', here)), `/blobs/${file.id}`);
  });

  it('a file that was deleted before its turn came is unknown, and the storage is not asked for it', async () => {
    const { variants, lines } = stage({
      isDeleted: true,
      make: async (_user, _order, open) => Buffer.from((await open()).path),
      blobs: { openLocally: () => assert.fail('the storage was asked') },
    });
    await assert.rejects(variants.get(source, 'ann', here), new Failure('FILE_NOT_FOUND'));
    assert.deepEqual(lines, []);
  });

  it('a picture that allows no variant is not tried again for an hour', async () => {
    const { variants, asked, time } = stage({ make: async () => undefined });
    for (const later of [0, 1, hour - 1]) {
      time.now = noon + later;
      assert.equal(await variants.get(source, 'ann', here), undefined);
    }
    assert.equal(asked.length, 1);
    time.now = noon + hour;
    await variants.get(source, 'ann', here);
    assert.equal(asked.length, 2);
  });

  it('the memory of failures is bounded: the oldest is forgotten', async () => {
    const { variants, asked } = stage({ make: async () => undefined });
    for (let number = 0; number <= 10_000; number++)
      await variants.get({ ...source, file: { ...file, id: fileId(number) } }, 'ann', here);
    assert.equal(asked.length, 10_001);
    await variants.get({ ...source, file: { ...file, id: fileId(1) } }, 'ann', here);
    assert.equal(asked.length, 10_001);
    await variants.get({ ...source, file: { ...file, id: fileId(0) } }, 'ann', here);
    assert.equal(asked.length, 10_002);
  });

  it('a busy maker or a failing storage is not remembered', async () => {
    for (const error of [new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }), unavailable()]) {
      let isFailing = true;
      const { variants } = stage({
        make: async () => {
          if (isFailing) throw error;
          return bytes;
        },
      });
      await assert.rejects(variants.get(source, 'ann', here), error);
      isFailing = false;
      assert.equal(await variants.get(source, 'ann', here), bytes);
    }
  });

  it('variants that cannot be stored are served, with one line in the log', async () => {
    const { variants, lines } = stage({
      blobs: {
        keepVariant: async () => {
          throw unavailable();
        },
      },
    });
    for (const size of ['32', '33', '34'])
      assert.equal(await variants.get({ ...source, variant: { size, format: 'webp' } }, 'ann', here), bytes);
    assert.deepEqual(
      lines.map(([level, event]) => [level, event]),
      [['warn', 'a variant cannot be stored']],
    );
  });

  it('a variant of a file that was deleted while it was made is removed', async () => {
    const { variants, blobs } = stage({ isDeleted: true });
    await variants.get(source, 'ann', here);
    assert.deepEqual(blobs.calls, [`keep variant ${key}`, `remove ${file.id}`]);
    assert.equal(blobs.variants.size, 0);
  });

  it('a file that went to the trash while its variant was made keeps its bytes', async () => {
    const { variants, blobs } = stage({ isTrashed: true });
    await variants.get(source, 'ann', here);
    assert.deepEqual(blobs.calls, [`keep variant ${key}`]);
    assert.equal(blobs.contents.size, 1);
  });

  it('callers of the same variant wait for one making, and callers of another do not', async () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const { variants, asked, joined } = stage({ make: () => promise });
    const other = { ...source, variant: { size: '32', format: 'avif' as const } };
    const waiting = [source, source, other, source].map((one, at) => variants.get(one, `${at}`, here));
    await turn();
    assert.equal(asked.length, 2);
    assert.deepEqual(joined, ['1', '3'], 'the one picture is made in the turn of whoever comes first');
    resolve(bytes);
    assert.deepEqual(await Promise.all(waiting), [bytes, bytes, bytes, bytes]);
  });

  it('a caller who leaves does not end the wait of others; the last one does', async () => {
    let given: AbortSignal | undefined;
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const { variants } = stage({
      make: (_user, _order, _open, signal) => {
        given = signal;
        return promise;
      },
    });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = variants.get(source, 'ann', one.signal);
    const second = variants.get(source, 'ann', two.signal);
    await turn();
    one.abort();
    await assert.rejects(first, { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(given?.aborted, false);
    two.abort();
    await assert.rejects(second, { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(given?.aborted, true);
    const third = variants.get(source, 'ann', here);
    resolve(bytes);
    assert.equal(await third, bytes, 'work that had begun is not wasted');
    await assert.rejects(
      variants.get({ ...source, maxPixels: 1, file: { ...file, id: fileId(2) } }, 'ann', AbortSignal.abort()),
    );
  });
});
