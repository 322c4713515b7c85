// Moving all blobs to another storage: whatever both hold before, each file ends up sound in the target, and no bytes are lost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { mostListed } from '../../../src/files/storage/check-files.ts';
import { graceSeconds } from '../../../src/files/storage/examine-slice.ts';
import { type MoveDeps, moveBlobs } from '../../../src/files/storage/move-blobs.ts';
import type { FileStore, StoredFile } from '../../../src/files/stored-file.ts';
import {
  clock,
  fileId,
  type MemoryBlobs,
  memoryBlobs,
  memoryFiles,
  noon,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';
import { seed } from '../../helpers/faults/rounds.ts';

type Stage = { source: MemoryBlobs; target: MemoryBlobs; files: FileStore };

async function move({ source, target, files }: Stage, deletesSource: boolean) {
  const deps: MoveDeps = { source, target, files, clock };
  const steps: object[] = [];
  const reported: string[] = [];
  const result = await moveBlobs(deps, {
    deletesSource,
    progress: (step) => steps.push(step),
    tell: (id) => reported.push(id),
  });
  return { result, steps, reported };
}

const nothing = { records: 0, copied: 0, bytes: 0, removed: 0, adriftCount: 0, missingCount: 0, missing: [] };
const [one, two] = [fileId(1), fileId(2)];
const file = recordOf(one, 'hello');

const textOf = ({ contents }: MemoryBlobs, id: string) => contents.get(id)?.bytes.toString();

describe('moving blobs', () => {
  const cases: readonly [
    what: string,
    source: object,
    target: object,
    deletes: boolean,
    expected: object,
    left: object,
  ][] = [
    ['copied', { [one]: 'hello' }, {}, false, { copied: 1, bytes: 5 }, { source: 'hello', target: 'hello' }],
    [
      'copied and removed from the source',
      { [one]: 'hello' },
      {},
      true,
      { copied: 1, bytes: 5, removed: 1 },
      { source: undefined, target: 'hello' },
    ],
    [
      'not copied again where the target has it',
      { [one]: 'hello' },
      { [one]: 'hello' },
      false,
      {},
      { source: 'hello', target: 'hello' },
    ],
    [
      'removed from the source where the target has it',
      { [one]: 'hello' },
      { [one]: 'hello' },
      true,
      { removed: 1 },
      { source: undefined, target: 'hello' },
    ],
    [
      'copied again over a shorter one',
      { [one]: 'hello' },
      { [one]: 'he' },
      false,
      { copied: 1, bytes: 5 },
      { source: 'hello', target: 'hello' },
    ],
    [
      'copied again over a damaged one before the source is removed',
      { [one]: 'hello' },
      { [one]: 'HELLO' },
      true,
      { removed: 1 },
      { source: undefined, target: 'hello' },
    ],
    [
      'left where the target is believed by its size',
      { [one]: 'hello' },
      { [one]: 'HELLO' },
      false,
      {},
      { source: 'hello', target: 'HELLO' },
    ],
    ['complete where only the target has it', {}, { [one]: 'hello' }, true, {}, { source: undefined, target: 'hello' }],
    [
      'missing where neither has it',
      {},
      {},
      true,
      { missingCount: 1, missing: [one] },
      { source: undefined, target: undefined },
    ],
    [
      'missing where the source is damaged',
      { [one]: 'HELLO' },
      {},
      true,
      { missingCount: 1, missing: [one] },
      { source: 'HELLO', target: undefined },
    ],
    [
      'missing where the source is cut short',
      { [one]: 'hell' },
      {},
      true,
      { missingCount: 1, missing: [one] },
      { source: 'hell', target: undefined },
    ],
    [
      'missing where both are damaged, and then stays in both',
      { [one]: 'HELLO' },
      { [one]: 'HELlo' },
      true,
      { missingCount: 1, missing: [one] },
      { source: 'HELLO', target: 'HELlo' },
    ],
  ];
  for (const [what, inSource, inTarget, deletes, expected, left] of cases) {
    it(`a file is ${what}`, async () => {
      const stage = {
        source: memoryBlobs({ ...inSource }),
        target: memoryBlobs({ ...inTarget }),
        files: memoryFiles([file]),
      };
      const { result, steps, reported } = await move(stage, deletes);
      assert.deepEqual(result, { ...nothing, records: 1, ...expected });
      assert.deepEqual({ source: textOf(stage.source, one), target: textOf(stage.target, one) }, left);
      assert.deepEqual(steps, [{ done: 1, total: 0, bytes: result.bytes, what: 'files' }]);
      assert.deepEqual(reported, []);
    });
  }

  it('both storages are asked whether they answer before anything is copied', async () => {
    for (const away of ['source', 'target'] as const) {
      const stage = { source: memoryBlobs({ [one]: 'hello' }), target: memoryBlobs(), files: memoryFiles([file]) };
      const broken = memoryBlobs({}, { ping: () => Promise.reject(unavailable()) });
      await assert.rejects(move({ ...stage, [away]: broken }, true), { code: 'STORAGE_UNAVAILABLE' });
      assert.deepEqual(
        stage.target.calls.filter((call) => call !== 'ping'),
        [],
      );
    }
  });

  it('a file that is deleted while it is copied is removed from the target again, and is not missing', async () => {
    const files = memoryFiles([file], { findRecord: async () => undefined });
    const stage = { source: memoryBlobs({ [one]: 'hello' }), target: memoryBlobs(), files };
    const { result } = await move(stage, true);
    assert.deepEqual(result, { ...nothing, records: 1 });
    assert.deepEqual(stage.target.calls, ['ping', `keep ${one}`, 'discard', `remove ${one}`]);
    assert.equal(textOf(stage.source, one), 'hello');
  });

  it('a file that is deleted while it is missing is not missing', async () => {
    const files = memoryFiles([file], { findRecord: async () => undefined });
    const { result } = await move({ source: memoryBlobs(), target: memoryBlobs(), files }, true);
    assert.deepEqual(result, { ...nothing, records: 1 });
  });

  it('a file that an upload stored in the target after it was listed is complete', async () => {
    const list: BlobStore['list'] = async function* () {};
    const stage = {
      source: memoryBlobs(),
      target: memoryBlobs({ [one]: 'hello' }, { list }),
      files: memoryFiles([file]),
    };
    assert.deepEqual((await move(stage, true)).result, { ...nothing, records: 1 });
  });

  it('the source keeps a blob whose copy in the target is damaged and cannot be repaired', async () => {
    const target = memoryBlobs({ [one]: 'HELLO' }, { keep: async () => undefined });
    const source = memoryBlobs({ [one]: 'hellO' });
    const { result } = await move({ source, target, files: memoryFiles([file]) }, true);
    assert.deepEqual(result, { ...nothing, records: 1, missingCount: 1, missing: [one] });
    assert.equal(textOf(source, one), 'hellO');
  });

  it('the list of the target is closed before it is read to its end', async () => {
    let isClosed = false;
    const list: BlobStore['list'] = async function* () {
      try {
        for (const id of [one, two]) yield { id, size: 1, modifiedAt: 0 };
      } finally {
        isClosed = true;
      }
    };
    const target = memoryBlobs({}, { list });
    await move({ source: memoryBlobs({ [one]: 'hello' }), target, files: memoryFiles([file]) }, false);
    assert.ok(isClosed);
  });

  const orphans = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [fileId(100 + at), 'x']));

  it('orphans are removed from the source with their ids listed, if there are few', async () => {
    const source = memoryBlobs({ [one]: 'hello', ...orphans(20) });
    const { result, reported } = await move({ source, target: memoryBlobs(), files: memoryFiles([file]) }, true);
    assert.deepEqual(result, { ...nothing, records: 1, copied: 1, bytes: 5, removed: 21 });
    assert.deepEqual(reported.toSorted(), Object.keys(orphans(20)));
    assert.equal(source.contents.size, 0);
  });

  it('orphans stay in the source if there are too many, and are counted', async () => {
    const source = memoryBlobs({ [one]: 'hello', ...orphans(21) });
    const { result, reported } = await move({ source, target: memoryBlobs(), files: memoryFiles([file]) }, true);
    assert.deepEqual(result, { ...nothing, records: 1, copied: 1, bytes: 5, removed: 1, adriftCount: 21 });
    assert.deepEqual([reported, source.contents.size], [[], 21]);
  });

  it('of 21 orphans beside 2079 other blobs all are removed', async () => {
    const source = memoryBlobs(orphans(21));
    for (let at = 0; at < 2079; at++)
      source.contents.set(fileId(5000 + at), { bytes: Buffer.alloc(0), modifiedAt: noon });
    const { result } = await move({ source, target: memoryBlobs(), files: memoryFiles() }, true);
    assert.deepEqual(result, { ...nothing, removed: 21 });
  });

  it('records without a blob do not make orphans few', async () => {
    const records = Array.from({ length: 2079 }, (_, at) => recordOf(fileId(5000 + at), ''));
    const target = memoryBlobs(Object.fromEntries(records.map(({ id }) => [id, ''])));
    const { result } = await move({ source: memoryBlobs(orphans(21)), target, files: memoryFiles(records) }, true);
    assert.deepEqual(result, { ...nothing, records: 2079, adriftCount: 21 });
  });

  it('a damaged blob is removed from the source if an upload stored a sound one in the target after it was listed', async () => {
    const list: BlobStore['list'] = async function* () {};
    const [source, target] = [memoryBlobs({ [one]: 'HELLO' }), memoryBlobs({ [one]: 'hello' }, { list })];
    const { result } = await move({ source, target, files: memoryFiles([file]) }, true);
    assert.deepEqual([result, source.contents.size], [{ ...nothing, records: 1, removed: 1 }, 0]);
  });

  it('one run removes only so many orphans', async () => {
    const source = memoryBlobs(orphans(5));
    const [deps, tell] = [{ source, target: memoryBlobs(), files: memoryFiles(), clock }, () => undefined];
    const options = { deletesSource: true, progress: tell, tell, mostOrphans: 3 };
    assert.deepEqual(await moveBlobs(deps, options), { ...nothing, removed: 3, adriftCount: 2 });
    assert.deepEqual(await moveBlobs(deps, options), { ...nothing, removed: 2 });
  });

  it('orphans stay in a source that is not emptied, and are counted', async () => {
    const source = memoryBlobs(orphans(3));
    const { result } = await move({ source, target: memoryBlobs(), files: memoryFiles() }, false);
    assert.deepEqual([result, source.contents.size], [{ ...nothing, adriftCount: 3 }, 3]);
  });

  it('a young blob without a record is an upload in progress: neither counted nor removed', async () => {
    const source = memoryBlobs({ [one]: 'x', [two]: 'x' });
    const oldest = noon - graceSeconds * 1000;
    source.contents.set(one, { bytes: Buffer.from('x'), modifiedAt: oldest });
    source.contents.set(two, { bytes: Buffer.from('x'), modifiedAt: oldest - 1 });
    const { result, reported } = await move({ source, target: memoryBlobs(), files: memoryFiles() }, true);
    assert.deepEqual([result, reported], [{ ...nothing, removed: 1 }, [two]]);
    assert.ok(source.contents.has(one));
  });

  it('an orphan that has a record by now stays, and stays counted', async () => {
    const source = memoryBlobs({ [two]: 'x' });
    const files = memoryFiles([], { findRecord: async () => recordOf(two, 'x') });
    const { result, reported } = await move({ source, target: memoryBlobs(), files }, true);
    assert.deepEqual([result, reported, source.contents.size], [{ ...nothing, adriftCount: 1 }, [], 1]);
  });

  it('many missing files are all counted, and only the first ones named', async () => {
    const records = Array.from({ length: mostListed + 1 }, (_, at) => recordOf(fileId(at), 'x'));
    const failure = unavailable();
    const empty = () => memoryBlobs({}, { read: () => Promise.reject(failure) });
    const { result } = await move({ source: empty(), target: empty(), files: memoryFiles(records) }, false);
    assert.deepEqual([result.missingCount, result.missing.length], [mostListed + 1, mostListed]);
  });

  it('from any state of both storages, every file that one of them has is sound in the target after a repeat', async () => {
    const content = fc.constantFrom(undefined, 'right', 'wrong', 'cut');
    const state = fc.array(fc.tuple(content, content), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(state, fc.boolean(), async (states, deletes) => {
        const [source, target] = [memoryBlobs(), memoryBlobs()];
        const records: StoredFile[] = [];
        for (const [at, [inSource, inTarget]] of states.entries()) {
          const id = fileId(at);
          records.push(recordOf(id, 'right'));
          if (inSource !== undefined) source.contents.set(id, { bytes: Buffer.from(inSource), modifiedAt: 0 });
          if (inTarget !== undefined) target.contents.set(id, { bytes: Buffer.from(inTarget), modifiedAt: 0 });
        }
        const stage = { source, target, files: memoryFiles(records) };
        await move(stage, deletes);
        const { result } = await move(stage, deletes);
        for (const [at, [inSource, inTarget]] of states.entries()) {
          const id = fileId(at);
          const isSafe = inSource === 'right' || inTarget === 'right';
          // Without removal the target is believed by its size; with removal it is read.
          if (isSafe && (deletes || inTarget !== 'wrong')) assert.equal(textOf(target, id), 'right');
          if (isSafe) assert.ok([textOf(source, id), textOf(target, id)].includes('right'));
          if (isSafe) assert.ok(!result.missing.includes(id));
        }
        assert.equal(result.copied, 0);
      }),
      { numRuns: 60, seed },
    );
  });
});
