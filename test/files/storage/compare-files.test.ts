// Comparing blobs and records: the same result as comparing two sets, in order, from any start, with at most one page in memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FileDeps } from '../../../src/files/deps.ts';
import type { ListedBlob } from '../../../src/files/storage/blob-store.ts';
import { checkFiles, mostListed } from '../../../src/files/storage/check-files.ts';
import { compareFiles, readSizes } from '../../../src/files/storage/compare-files.ts';
import type { StoredFile } from '../../../src/files/stored-file.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { asFileId } from '../../helpers/people/ids.ts';

const idOf = (number: number) => asFileId(`fil_${String(number).padStart(22, '0')}`);

type Counts = { listed: number; handed: number };

/** A storage and a table with these numbers, generated on demand. */
function filesWith(blobs: Iterable<number>, records: readonly number[], counts: Counts = { listed: 0, handed: 0 }) {
  const list = async function* ({ after = '' } = {}): AsyncIterable<ListedBlob> {
    for (const number of blobs) {
      if (idOf(number) <= after) continue;
      counts.listed += 1;
      yield { id: idOf(number), size: 1, modifiedAt: 0 };
    }
  };
  const all = records.map((number) => ({ id: idOf(number), size: 1, createdAt: 0 }) as StoredFile);
  const listAll = async ({ after, most }: { after: string; most: number }) => {
    const from = all.findIndex(({ id }) => id > after);
    const page = from < 0 ? [] : all.slice(from, from + most);
    counts.handed += page.length;
    return page;
  };
  const findRecord = async (id: string) => all.find((record) => record.id === id);
  const files = { listAll, findRecord } as Partial<FileDeps['files']> as FileDeps['files'];
  return {
    files,
    blobs: { list } as Partial<FileDeps['blobs']> as FileDeps['blobs'],
    clock: { now: () => Date.UTC(2031, 4, 5, 12) },
  };
}

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 60 })).map((some) => some.toSorted((a, b) => a - b));

describe('comparing blobs and records', () => {
  it('comparing blobs and records gives the same result as comparing two sets', async () => {
    const holds = async (blobs: number[], records: number[], from: number) => {
      const after = from < 0 ? '' : idOf(from);
      const found = await Array.fromAsync(compareFiles(filesWith(blobs, records), after));
      const wanted = [...new Set([...blobs, ...records])].filter((number) => number > from).toSorted((a, b) => a - b);
      assert.deepEqual(
        found.map(({ id, blob, record }) => [id, blob?.id, record?.id]),
        wanted.map((number) => {
          const id = idOf(number);
          return [id, blobs.includes(number) ? id : undefined, records.includes(number) ? id : undefined];
        }),
      );
    };
    await fc.assert(fc.asyncProperty(numbers, numbers, fc.integer({ min: -1, max: 61 }), holds), {
      numRuns: 150,
      seed,
    });
  });

  it('sizes are read in ascending order, with gaps on either side', async () => {
    const sizes = readSizes(filesWith([2, 3, 5, 9], []).blobs);
    const found: (number | undefined)[] = [];
    for (const number of [1, 2, 4, 5, 8, 9, 10, 11]) found.push(await sizes.at(idOf(number)));
    assert.deepEqual(found, [undefined, 1, undefined, 1, undefined, 1, undefined, undefined]);
    await sizes.end();
  });

  it('sizes can be read of a list that cannot be ended', async () => {
    const next = async () => ({ done: true as const, value: undefined });
    const sizes = readSizes({ list: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) });
    assert.equal(await sizes.at(idOf(1)), undefined);
    await sizes.end();
  });

  it('comparing blobs and records begins at the first ones and asks the store once for each page', async () => {
    for (const [count, asked] of [
      [0, ['']],
      [3, ['']],
      [499, ['']],
      [500, ['', idOf(499)]],
    ] as const) {
      const seen: string[] = [];
      const { files, blobs } = filesWith(
        [],
        Array.from({ length: count }, (_, at) => at),
      );
      const listAll: typeof files.listAll = (input) => {
        seen.push(input.after);
        return files.listAll(input);
      };
      const list: typeof blobs.list = (options) => {
        assert.equal(options?.after, '');
        return blobs.list(options);
      };
      await Array.fromAsync(compareFiles({ files: { ...files, listAll }, blobs: { list } }));
      assert.deepEqual(seen, asked);
    }
  });

  it('comparing blobs and records reads neither more than a page ahead of the other', async () => {
    const counts = { listed: 0, handed: 0 };
    const many = Array.from({ length: 1200 }, (_, at) => at);
    let seen = 0;
    for await (const { blob, record } of compareFiles(filesWith(many, many, counts))) {
      assert.ok(blob !== undefined && record !== undefined);
      seen += 1;
      assert.ok(counts.listed - seen <= 1, `${counts.listed} listed, ${seen} seen`);
      assert.ok(counts.handed - seen <= 500, `${counts.handed} handed out, ${seen} seen`);
    }
    assert.equal(seen, 1200);
  });

  it('a check of many files reports their number and names only the first ones', async () => {
    const count = 1456;
    const { missingCount, adriftCount, missing, adrift, ...rest } = await checkFiles(
      filesWith(
        Array.from({ length: count }, (_, at) => at),
        [],
      ),
    );
    assert.deepEqual(
      [missingCount, adriftCount, missing, rest],
      [0, count, [], { records: 0, blobs: count, young: 0 }],
    );
    assert.deepEqual([adrift.length, adrift[0], adrift.at(-1)], [mostListed, idOf(0), idOf(mostListed - 1)]);
  });
});
