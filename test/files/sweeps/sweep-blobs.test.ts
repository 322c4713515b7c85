// One slice of the sweep: what it notes, removes, forgets and reports, in this order, and when it removes nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LastSweep, SweepStore, SweepTurn } from '../../../src/files/sweeps/blob-sweep.ts';
import { sweepBlobs } from '../../../src/files/sweeps/sweep-blobs.ts';
import {
  clock,
  fileId,
  memoryBlobs,
  memoryFiles,
  memoryLog,
  noon,
  recordOf,
  unavailable,
} from '../../helpers/blobs/memory-files.ts';

const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => fileId(from + at));
const cure = 'see docs/runbook.md, Files and records differ';
const ended: LastSweep = { blobs: 5, orphans: 3, missing: 0, endedAt: noon, isStopped: false };
const turn: SweepTurn = { pass: 4, place: '', isStopped: false };

type Script = {
  turn?: SweepTurn | undefined;
  step?: 'lost' | 'on' | LastSweep;
  /** The orphans that are due. */
  due?: readonly string[];
};

/** Orphans 0 to 2, whole files 10 and 11, a record 20 without a blob. */
function stage({ step = ended, due = [], ...given }: Script = {}) {
  const blobs = memoryBlobs(Object.fromEntries([...ids(0, 3), ...ids(10, 2)].map((id) => [id, 'x'])));
  const files = memoryFiles([...ids(10, 2), fileId(20)].map((id) => recordOf(id, 'x')));
  const { log, lines } = memoryLog();
  const seen: unknown[][] = [];
  const sweeps = {
    claim: async (input) => {
      seen.push(['claim', input]);
      return 'turn' in given ? given.turn : turn;
    },
    note: async (input) => {
      seen.push(['note', input]);
      return [...due];
    },
    forget: async (gone) => {
      seen.push(['forget', [...gone].toSorted()]);
    },
    advance: async (input) => {
      seen.push(['advance', input]);
      return step;
    },
  } as Partial<SweepStore> as SweepStore;
  return { deps: { blobs, files, clock, log, sweeps }, blobs, lines, seen };
}

const counts = { blobs: 5, orphans: 3, missing: 1 };
const claimed = ['claim', { holder: 'me', now: noon }];
const advanced = (to: string | undefined, from = '', found: object = counts) => [
  'advance',
  { ...found, holder: 'me', pass: 4, from, to, now: noon },
];

describe('a slice of the sweep', () => {
  it('a sweep without a turn does nothing', async () => {
    const { deps, seen } = stage({ turn: undefined });
    assert.deepEqual(await sweepBlobs(deps, 'me'), { state: 'idle', removed: 0 });
    assert.deepEqual(seen, [claimed]);
  });

  it('a slice notes its orphans, removes and forgets those that are due, logs each, and then counts', async () => {
    const { deps, blobs, lines, seen } = stage({ due: ids(0, 2) });
    assert.deepEqual(await sweepBlobs(deps, 'me'), { state: 'ended', removed: 2 });
    assert.deepEqual(seen, [
      claimed,
      ['note', { ids: ids(0, 3), pass: 4, now: noon }],
      ['forget', ids(0, 2)],
      advanced(undefined),
    ]);
    assert.deepEqual([...blobs.contents.keys()], [fileId(2), ...ids(10, 2)]);
    const reports = ids(0, 2).map((file) => ['info', 'removing a blob without a record', { file }]);
    assert.deepEqual(new Set(lines), new Set(reports));
  });

  it('a slice removes nothing while the sweep is stopped, but notes and counts', async () => {
    const { deps, blobs, lines, seen } = stage({ due: ids(0, 3), turn: { ...turn, isStopped: true } });
    assert.deepEqual(await sweepBlobs(deps, 'me'), { state: 'ended', removed: 0 });
    assert.deepEqual(seen, [
      claimed,
      ['note', { ids: ids(0, 3), pass: 4, now: noon }],
      ['forget', []],
      advanced(undefined),
    ]);
    assert.deepEqual([blobs.contents.size, lines], [5, []]);
  });

  it('an orphan that is due but has a record by now stays', async () => {
    const { deps, blobs, seen } = stage({ due: [fileId(10), fileId(0)] });
    assert.deepEqual(await sweepBlobs(deps, 'me'), { state: 'ended', removed: 1 });
    assert.deepEqual(seen[2], ['forget', [fileId(0)]]);
    assert.ok(blobs.contents.has(fileId(10)));
  });

  it('a slice begins at the place of its turn and tells where the next one begins', async () => {
    const { deps, seen } = stage({ turn: { ...turn, place: fileId(0) }, step: 'on' });
    const bounds = { ids: 2, findings: 200, milliseconds: 1000 };
    assert.deepEqual(await sweepBlobs(deps, 'me', bounds), { state: 'on', removed: 0 });
    assert.deepEqual(seen.at(-1), advanced(fileId(2), fileId(0), { blobs: 2, orphans: 2, missing: 0 }));
  });

  it('a slice whose lease was taken over counts as idle', async () => {
    const { deps } = stage({ step: 'lost', due: ids(0, 1) });
    assert.deepEqual(await sweepBlobs(deps, 'me'), { state: 'idle', removed: 1 });
  });

  it('the usual slice ends after 200 findings', async () => {
    const { deps, seen } = stage({ step: 'on' });
    for (const id of ids(100, 300)) deps.blobs.contents.set(id, { bytes: Buffer.from('x'), modifiedAt: 0 });
    await sweepBlobs(deps, 'me');
    // With the record that has no blob.
    assert.deepEqual(seen[1], ['note', { ids: [...ids(0, 3), ...ids(100, 196)], pass: 4, now: noon }]);
  });

  it('a failure of the storage is thrown before anything is counted', async () => {
    const { deps, seen } = stage({ due: ids(0, 1) });
    const blobs = { ...deps.blobs, remove: () => Promise.reject(unavailable()) };
    await assert.rejects(sweepBlobs({ ...deps, blobs }, 'me'), { code: 'STORAGE_UNAVAILABLE' });
    assert.ok(!seen.some(([call]) => call === 'advance' || call === 'forget'));
  });

  for (const [what, step, expected] of [
    ['a sound pass warns of nothing', ended, []],
    [
      'a stopped pass warns of too many orphans',
      { ...ended, isStopped: true },
      [['warn', 'too many blobs have no record: none is removed', { orphans: 3, blobs: 5, cure }]],
    ],
    [
      'a pass warns of records without a blob',
      { ...ended, missing: 1 },
      [['warn', 'records have no blob', { missing: 1, cure }]],
    ],
    ['a slice in the middle of a pass warns of nothing', 'on', []],
  ] as const) {
    it(what, async () => {
      const { deps, lines } = stage({ step });
      await sweepBlobs(deps, 'me');
      assert.deepEqual(lines, expected);
    });
  }
});
