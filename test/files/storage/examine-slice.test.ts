// One slice of the comparison of records and blobs: what is missing, what is an orphan, what is too young to judge, where it ends.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { examineSlice, graceSeconds, type Slice, type SliceBounds } from '../../../src/files/storage/examine-slice.ts';
import type { StoredFile } from '../../../src/files/stored-file.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryFiles,
  noon,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const before = noon - graceSeconds * 1000;
const all: SliceBounds = { ids: 1000, findings: 1000, milliseconds: 1000 };
const still = () => 0;

type Item = {
  blob: { size: number; modifiedAt: number } | undefined;
  record: { size: number; createdAt: number } | undefined;
};

function filesOf(items: readonly Item[], changes: Partial<BlobStore> = {}) {
  const blobs = memoryBlobs({}, changes);
  const records: StoredFile[] = [];
  for (const [index, { blob, record }] of items.entries()) {
    const id = fileId(index);
    if (blob !== undefined) blobs.contents.set(id, { bytes: Buffer.alloc(blob.size), modifiedAt: blob.modifiedAt });
    if (record !== undefined) records.push(recordOf(id, '', record));
  }
  return { files: memoryFiles(records), blobs, clock };
}

/** The whole comparison, without streams, pages or slices. */
function judge(items: readonly Item[]) {
  const ids = (is: (item: Item) => boolean) => items.flatMap((item, index) => (is(item) ? [fileId(index)] : []));
  return {
    records: ids(({ record }) => record !== undefined).length,
    blobs: ids(({ blob }) => blob !== undefined).length,
    missing: ids(({ blob, record }) => record !== undefined && record.size !== blob?.size),
    adrift: ids(({ blob, record }) => record === undefined && blob !== undefined && blob.modifiedAt < before),
    young: ids(({ blob, record }) => record === undefined && blob !== undefined && blob.modifiedAt >= before).length,
  };
}

const size = fc.integer({ min: 0, max: 1 });
const time = fc.constantFrom(0, before - 1, before, noon);
const item: fc.Arbitrary<Item> = fc.record({
  blob: fc.option(fc.record({ size, modifiedAt: time }), { nil: undefined }),
  record: fc.option(fc.record({ size, createdAt: time }), { nil: undefined }),
});

describe('a slice of records and blobs', () => {
  it('slices of any length find together what a plain comparison of everything finds', async () => {
    const bound = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 14 }), bound, bound, async (items, ids, findings) => {
        const deps = filesOf(items);
        const sum = { records: 0, blobs: 0, young: 0, missing: [] as string[], adrift: [] as string[] };
        for (let place: string | undefined = ''; place !== undefined; ) {
          const slice: Slice = await examineSlice(deps, place, { ids, findings, milliseconds: 1 }, still);
          sum.records += slice.records;
          sum.blobs += slice.blobs;
          sum.young += slice.young;
          sum.missing.push(...slice.missing);
          sum.adrift.push(...slice.adrift);
          assert.ok(slice.missing.length + slice.adrift.length <= findings);
          assert.ok(slice.records + slice.blobs <= 2 * ids);
          place = slice.next;
        }
        assert.deepEqual(sum, judge(items));
      }),
      { numRuns: 120, seed },
    );
  });

  const here = { blob: { size: 1, modifiedAt: 0 }, record: { size: 1, createdAt: 0 } };
  const orphan = { blob: { size: 1, modifiedAt: 0 }, record: undefined };
  const lost = { blob: undefined, record: { size: 1, createdAt: 0 } };
  for (const [what, items, bounds, next] of [
    ['after the last id', [here, here], {}, undefined],
    ['after as many ids as it may examine', [here, here, here], { ids: 2 }, 1],
    ['after as many findings as it may report', [orphan, here, lost, here], { findings: 2 }, 2],
    ['after one finding', [here, orphan, lost], { findings: 1 }, 1],
  ] as const) {
    it(`a slice ends ${what}`, async () => {
      const slice = await examineSlice(filesOf(items), '', { ...all, ...bounds }, still);
      assert.equal(slice.next, next === undefined ? undefined : fileId(next));
    });
  }

  it('a slice begins after the place that it is given', async () => {
    const slice = await examineSlice(filesOf([orphan, orphan, orphan]), fileId(0), all, still);
    assert.deepEqual(slice.adrift, [fileId(1), fileId(2)]);
  });

  for (const [milliseconds, examined] of [
    [0, 100],
    [1, 100],
    [2, 200],
    [3, 250],
    [5, 250],
  ] as const) {
    it(`a slice that may take ${milliseconds} ms examines ${examined} of 250 ids where 100 ids take a millisecond`, async () => {
      let passed = -1;
      const tick = () => {
        passed += 1;
        return passed;
      };
      const items = Array.from({ length: 250 }, () => here);
      const slice = await examineSlice(filesOf(items), '', { ...all, milliseconds }, tick);
      assert.deepEqual([slice.records, slice.next], [examined, examined === 250 ? undefined : fileId(examined - 1)]);
    });
  }

  it('the usual clock of a slice is the real one', async () => {
    const items = Array.from({ length: 150 }, () => here);
    const soon = await examineSlice(filesOf(items), '', { ...all, milliseconds: -1 });
    assert.equal(soon.records, 100);
    const later = await examineSlice(filesOf(items), '', { ...all, milliseconds: 60_000 });
    assert.equal(later.records, 150);
  });
});

describe('a record without its blob', () => {
  const young = { size: 1, createdAt: before };
  const old = { size: 1, createdAt: before - 1 };
  const found: BlobStore['read'] = async () => Readable.from([]);
  const gone: BlobStore['read'] = () => Promise.reject(unavailable());
  for (const [what, record, read, missing] of [
    ['is missing if it is old, even if the blob can be read now', old, found, true],
    ['is missing if it is young and the storage has no blob', young, gone, true],
    ['is not missing if it is young and its blob can be read now', young, found, false],
  ] as const) {
    it(`a record without its blob ${what}`, async () => {
      const deps = filesOf([{ record, blob: undefined }], { read });
      const { missing: ids } = await examineSlice(deps, '', all, still);
      assert.deepEqual(ids, missing ? [fileId(0)] : []);
    });
  }

  it('a record that is deleted in the meantime is not missing', async () => {
    const deps = filesOf([{ record: old, blob: undefined }]);
    const files = { ...deps.files, findRecord: async () => undefined };
    assert.deepEqual((await examineSlice({ ...deps, files }, '', all, still)).missing, []);
  });

  it('a young record is checked for its blob and size, without reading a byte', async () => {
    const asked: unknown[] = [];
    const stream = Readable.from([]);
    const read: BlobStore['read'] = async (...question) => {
      asked.push(question);
      return stream;
    };
    await examineSlice(filesOf([{ record: young, blob: undefined }], { read }), '', all, still);
    assert.deepEqual(asked, [[fileId(0), { start: 0, end: -1 }, 1]]);
    assert.ok(stream.destroyed);
  });

  it('nothing is missing while the storage cannot be reached: the slice fails', async () => {
    const ping = () => Promise.reject(new Error('unreachable'));
    const deps = filesOf([{ record: young, blob: undefined }], { read: gone, ping });
    await assert.rejects(examineSlice(deps, '', all, still), /unreachable/);
  });

  it('an error that is no failure of the storage is thrown', async () => {
    const read = () => Promise.reject(new TypeError('a fault of ours'));
    const deps = filesOf([{ record: young, blob: undefined }], { read });
    await assert.rejects(examineSlice(deps, '', all, still), TypeError);
  });
});
