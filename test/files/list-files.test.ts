// The pages of a user's files: each file once, in order, whatever the size of the page; a cursor that is not ours is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listFiles } from '../../src/files/list-files.ts';
import type { FileStore, StoredFile } from '../../src/files/stored-file.ts';
import { clock, fileId, memoryFiles, noon, recordOf } from '../helpers/blobs/memory-files.ts';
import { seed } from '../helpers/faults/rounds.ts';
import { asUserId } from '../helpers/people/ids.ts';

/** Newest first, as the port promises. */
function storeOf(files: readonly StoredFile[], asked: unknown[] = []): Pick<FileStore, 'listFiles'> {
  const newest = files.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return {
    listFiles: async (input) => {
      asked.push(input);
      const { before, most } = input;
      const rest = newest.filter(
        ({ createdAt, id }) =>
          before === undefined || createdAt < before.createdAt || (createdAt === before.createdAt && id < before.id),
      );
      return rest.slice(0, most);
    },
  };
}

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

describe('the list of files', () => {
  it('walking through the pages gives every file once, newest first, whatever the size of a page', async () => {
    const times = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 13 }), async (createdAt, limit) => {
        const files = createdAt.map((time, index) => recordOf(fileId(index), 'x', { createdAt: time }));
        const deps = { clock, files: memoryFiles([], storeOf(files)) };
        const seen: StoredFile[] = [];
        let pages = 0;
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await listFiles(deps, { userId: asUserId('ann'), cursor, limit });
          assert.ok(page.files.length <= limit && (page.next === null || page.files.length === limit));
          seen.push(...page.files);
          pages += 1;
          cursor = page.next;
        }
        const wanted = files.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
        assert.deepEqual(seen, wanted);
        assert.equal(pages, Math.max(1, Math.ceil(files.length / limit)));
      }),
      { numRuns: 150, seed },
    );
  });

  it('a page asks the store for one file more than it shows, from the place of its cursor', async () => {
    const asked: unknown[] = [];
    const files = [3, 2, 1].map((time) => recordOf(fileId(time), 'x', { createdAt: time }));
    const deps = { clock, files: memoryFiles([], storeOf(files, asked)) };
    const first = await listFiles(deps, { userId: asUserId('ann'), cursor: undefined, limit: 2 });
    assert.deepEqual([first.files.length, first.next], [2, cursorOf(`2 ${fileId(2)}`)]);
    const second = await listFiles(deps, { userId: asUserId('ann'), cursor: first.next ?? '', limit: 2 });
    assert.deepEqual([second.files.length, second.next], [1, null]);
    assert.deepEqual(asked, [
      { userId: 'ann', before: undefined, most: 3, now: noon },
      { userId: 'ann', before: { createdAt: 2, id: fileId(2) }, most: 3, now: noon },
    ]);
  });

  it('a page of a limit of 0 has no files and no next page', async () => {
    const deps = { clock, files: memoryFiles([], storeOf([recordOf(fileId(1), 'x')])) };
    assert.deepEqual(await listFiles(deps, { userId: asUserId('ann'), cursor: undefined, limit: 0 }), {
      files: [],
      next: null,
    });
  });

  for (const [name, cursor] of [
    ['empty', ''],
    ['text', 'hello'],
    ['a time without an id', cursorOf('5')],
    ['an id without a time', cursorOf(fileId(1))],
    ['an id that is none', cursorOf('5 fil_x')],
    ['a negative time', cursorOf(`-5 ${fileId(1)}`)],
    ['a time with a fraction', cursorOf(`1.5 ${fileId(1)}`)],
    ['a time of 16 digits', cursorOf(`1234567890123456 ${fileId(1)}`)],
    ['a time with a letter before it', cursorOf(`x5 ${fileId(1)}`)],
    ['two blanks', cursorOf(`5  ${fileId(1)}`)],
  ] as const) {
    it(`a cursor is refused: ${name}`, async () => {
      const deps = { clock, files: memoryFiles([], { listFiles: () => assert.fail('the store was asked') }) };
      const listing = listFiles(deps, { userId: asUserId('ann'), cursor, limit: 2 });
      await assert.rejects(listing, { code: 'REQUEST_INVALID', detail: { field: 'cursor' } });
    });
  }

  it('a cursor may hold a time of 15 digits', async () => {
    const asked: unknown[] = [];
    const deps = { clock, files: memoryFiles([], storeOf([], asked)) };
    await listFiles(deps, { userId: asUserId('ann'), cursor: cursorOf(`123456789012345 ${fileId(1)}`), limit: 2 });
    assert.deepEqual(asked, [
      { userId: 'ann', before: { createdAt: 123_456_789_012_345, id: fileId(1) }, most: 3, now: noon },
    ]);
  });
});
