// The check of all files: the sum of its slices, with at most a thousand ids listed, and repair that looks again before it removes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFiles, mostListed, removeAdrift, removeAllAdrift } from '../../../src/files/storage/check-files.ts';
import { clock, fileId, memoryBlobs, memoryFiles, noon, recordOf } from '../../helpers/blobs/memory-files.ts';
import { asFileId } from '../../helpers/people/ids.ts';

/** Blobs 0 to 9 without records, records 10 to 19 without blobs, 20 to 29 whole, 30 a young blob. */
function stage() {
  const blobs = memoryBlobs();
  const put = (number: number, modifiedAt = 0) => {
    blobs.contents.set(fileId(number), { bytes: Buffer.from('x'), modifiedAt });
  };
  for (let number = 0; number < 10; number++) put(number);
  for (let number = 20; number < 30; number++) put(number);
  put(30, noon);
  const records = Array.from({ length: 20 }, (_, index) => recordOf(fileId(10 + index), 'x'));
  return { blobs, files: memoryFiles(records), clock };
}
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => fileId(from + index));

describe('the check of all files', () => {
  it('a check reports counts, ids and progress', async () => {
    const steps: unknown[] = [];
    const check = await checkFiles(stage(), (step) => steps.push(step));
    assert.deepEqual(check, {
      records: 20,
      blobs: 21,
      young: 1,
      missingCount: 10,
      adriftCount: 10,
      missing: numbered(10, 10),
      adrift: numbered(0, 10),
    });
    assert.deepEqual(steps, [{ done: 20, total: 0, bytes: 0, what: 'files' }]);
  });

  it('a check of many files adds up its slices and names only the first ids', async () => {
    const blobs = memoryBlobs(Object.fromEntries(numbered(0, 1200).map((id) => [id, 'x'])));
    const files = memoryFiles(numbered(3000, 1200).map((id) => recordOf(id, 'x')));
    const steps: number[] = [];
    const check = await checkFiles({ blobs, files, clock }, ({ done }) => steps.push(done));
    assert.deepEqual(
      [check.records, check.blobs, check.young, check.missingCount, check.adriftCount],
      [1200, 1200, 0, 1200, 1200],
    );
    assert.deepEqual(check.adrift, numbered(0, mostListed));
    assert.deepEqual(check.missing, numbered(3000, mostListed));
    assert.deepEqual(steps, [0, 800, 1200]);
  });

  it('a check begins with the first blob and the first record', async () => {
    const asked: unknown[] = [];
    const { files, blobs } = stage();
    const list: typeof blobs.list = (options) => {
      asked.push(options);
      return blobs.list(options);
    };
    const listAll: typeof files.listAll = (options) => {
      asked.push(options);
      return files.listAll(options);
    };
    await checkFiles({ files: { ...files, listAll }, blobs: { ...blobs, list }, clock });
    assert.deepEqual(asked, [{ after: '' }, { after: '', most: 500 }]);
  });

  it('a repair removes each orphan, tells its id before, and leaves everything else', async () => {
    const deps = stage();
    const reported: string[] = [];
    const tell = (id: string) => {
      assert.ok(deps.blobs.contents.has(id));
      reported.push(id);
    };
    assert.equal(await removeAllAdrift(deps, tell), 10);
    assert.deepEqual(reported.toSorted(), numbered(0, 10));
    assert.deepEqual([...deps.blobs.contents.keys()].toSorted(), numbered(20, 11));
  });

  it('a repair removes neither what has a record by now nor what is no id of a file', async () => {
    const blobs = memoryBlobs({ [fileId(1)]: 'x', [fileId(2)]: 'x', mark: 'x' });
    const reported: string[] = [];
    const files = memoryFiles([recordOf(fileId(1), 'x')]);
    const removed = await removeAdrift({ files, blobs }, [fileId(1), asFileId('mark'), fileId(2)], (id) =>
      reported.push(id),
    );
    assert.deepEqual([removed, reported, blobs.calls], [[fileId(2)], [fileId(2)], [`remove ${fileId(2)}`]]);
  });

  it('a repair of nothing removes nothing', async () => {
    assert.deepEqual(await removeAdrift({ files: memoryFiles(), blobs: memoryBlobs() }, [], () => assert.fail()), []);
  });
});
