// The use cases of the trash: what they ask of the store, and whose bytes they remove.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileDeps } from '../../../src/files/deps.ts';
import { emptyTrash } from '../../../src/files/trash/empty-trash.ts';
import { removeFromTrash } from '../../../src/files/trash/remove-from-trash.ts';
import { restoreFile } from '../../../src/files/trash/restore-file.ts';
import { sweepFiles } from '../../../src/files/trash/sweep-files.ts';
import { trashFile } from '../../../src/files/trash/trash-file.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryFiles,
  noon,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { withoutRests } from '../../helpers/without-rests.ts';

const id = fileId(7);
const own = { userId: asUserId('ann'), id };

/** `lots`: how many files each call of the sweep and of emptying gives. */
function stage({ isThere = true, trashSeconds = 100, hasStorage = true, lots = [] as number[] } = {}) {
  const seen: unknown[] = [];
  const note = async <T>(input: unknown, output: T) => {
    seen.push(input);
    return output;
  };
  const nextLot = () => Array.from({ length: lots.shift() ?? 0 }, (_, at) => fileId(at));
  const remove = async (one: string) => {
    seen.push(`remove ${one}`);
    if (!hasStorage) throw unavailable();
  };
  const deps = {
    clock,
    trashSeconds,
    files: memoryFiles([], { deleteFile: (input) => note(input, isThere) }),
    trash: {
      restoreFile: (input: unknown) => note(input, isThere ? recordOf(id, 'x') : undefined),
      removeFromTrash: (input: unknown) => note(input, isThere),
      emptyTrash: (input: unknown) => note(input, nextLot()),
      sweepFiles: (input: unknown) => note(input, nextLot()),
    },
    blobs: memoryBlobs({}, { remove }),
    removals: {
      end: async ({ ids }: { ids: readonly string[] }) => void seen.push(`end ${ids}`),
    },
  } as unknown as FileDeps;
  return { deps, seen, calls: () => seen.filter((one) => typeof one === 'object') };
}

describe('a deletion by the owner', () => {
  it('moves the file to the trash, and its bytes stay', async () => {
    const { deps, seen } = stage();
    await trashFile(deps, own);
    assert.deepEqual(seen, [{ ...own, now: noon, trashUntil: noon + 100_000 }]);
  });

  it('removes the record and then the bytes if there is no trash', async () => {
    const { deps, seen } = stage({ trashSeconds: 0 });
    await trashFile(deps, own);
    assert.deepEqual(seen, [{ ...own, now: noon }, `remove ${id}`, `end ${id}`]);
  });

  it('without a trash succeeds without the storage, and the bytes stay in the queue', async () => {
    const { deps, seen } = stage({ trashSeconds: 0, hasStorage: false });
    await trashFile(deps, own);
    assert.deepEqual(seen, [{ ...own, now: noon }, `remove ${id}`]);
  });
});

describe('the trash', () => {
  for (const [name, useCase, expected] of [
    ['trashFile', trashFile, undefined],
    ['restoreFile', restoreFile, recordOf(id, 'x')],
    ['removeFromTrash', removeFromTrash, undefined],
  ] as const) {
    it(`${name} does not find what the user has not, and does not ask the store about what is no id`, async () => {
      const missing = stage({ isThere: false, trashSeconds: 0 });
      await assert.rejects(useCase(missing.deps, own), { code: 'FILE_NOT_FOUND' });
      assert.equal(missing.seen.length, 1, 'no bytes are removed');
      const { deps, seen } = stage();
      await assert.rejects(useCase(deps, { ...own, id: 'fil_short' }), { code: 'FILE_NOT_FOUND' });
      assert.deepEqual(seen, []);
      assert.deepEqual(await useCase(deps, own), expected);
    });
  }

  it('a file that its owner removes loses its bytes after its record', async () => {
    const { deps, seen } = stage();
    await removeFromTrash(deps, own);
    assert.deepEqual(seen, [{ ...own, now: noon }, `remove ${id}`, `end ${id}`]);
  });

  it('is emptied in batches until one is not full, with the bytes of each', async () => {
    const { deps, seen, calls } = stage({ lots: [200, 200, 3, 9] });
    await emptyTrash(deps, asUserId('ann'));
    assert.deepEqual(calls(), Array(3).fill({ userId: 'ann', now: noon, most: 200 }));
    assert.equal(seen.filter((one) => String(one).startsWith('remove ')).length, 403);
  });
});

describe('the sweep of files', () => {
  const sweep = async ({ deps }: ReturnType<typeof stage>, stop?: AbortSignal) => {
    const counts: number[] = [];
    await sweepFiles(deps, withoutRests(stop), (count) => counts.push(count));
    return counts;
  };

  it('removes the bytes of what the store removed, until a batch is not full', async () => {
    const staged = stage({ lots: [50, 2, 9] });
    assert.deepEqual(await sweep(staged), [50, 2]);
    assert.deepEqual(staged.calls(), [
      { now: noon, most: 50 },
      { now: noon, most: 100 },
    ]);
    assert.equal(staged.seen.filter((one) => String(one).startsWith('remove ')).length, 52);
  });

  it('has no ceiling: it goes on in larger batches while they are quick', async () => {
    const staged = stage({ lots: [50, 100, 200, 400, 800, ...Array(20).fill(1000), 0] });
    assert.equal(
      (await sweep(staged)).reduce((sum, count) => sum + count, 0),
      21_550,
    );
  });

  it('ends with the batch during which the service stops', async () => {
    const stopping = new AbortController();
    const staged = stage({ lots: [50, 100] });
    const { trash } = staged.deps;
    const stopsThen: typeof trash.sweepFiles = (input) => {
      stopping.abort();
      return trash.sweepFiles(input);
    };
    const deps = { ...staged.deps, trash: { ...trash, sweepFiles: stopsThen } };
    assert.deepEqual(await sweep({ ...staged, deps }, stopping.signal), [50]);
  });

  it('leaves the bytes in the queue if the storage is away, asks it a few times only, and goes on', async () => {
    const staged = stage({ lots: [50, 2], hasStorage: false });
    assert.deepEqual(await sweep(staged), [50, 2]);
    const tries = staged.seen.filter((one) => String(one).startsWith('remove ')).length;
    assert.ok(tries >= 4 && tries <= 10, `${tries} tries`);
    assert.ok(!staged.seen.some((one) => String(one).startsWith('end ')));
  });
});
