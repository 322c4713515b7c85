// Whether a database and a storage belong together, judged by their ids and their contents.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  foreignMark,
  InstallationMismatch,
  type InstallationState,
  judgeInstallation,
  newInstallationId,
  parseMark,
  type Verdict,
} from '../../../src/files/storage/installation.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const count = fc.nat(3);
const state: fc.Arbitrary<InstallationState> = fc.record({
  database: fc.constantFrom(undefined, 'a', 'b'),
  storage: fc.constantFrom(undefined, 'a', 'b'),
  users: count,
  records: count,
  sample: fc
    .record({ known: count, adrift: count, young: count })
    .map(({ known, adrift, young }) => ({ blobs: known + adrift + young, known, adrift })),
});

describe('the verdict on a database and a storage', () => {
  const none = { blobs: 0, known: 0, adrift: 0 };
  const all = { blobs: 100, known: 100, adrift: 0 };
  const cases: readonly [Verdict, Partial<InstallationState>][] = [
    ['same', { database: 'a', storage: 'a' }],
    ['two installations', { database: 'a', storage: 'b', records: 100, sample: all }],
    ['new database', { storage: 'b' }],
    ['new database', { storage: 'b', records: 100, sample: all }],
    ['claim', {}],
    ['claim', { database: 'a' }],
    ['no files', { records: 1 }],
    ['no files', { database: 'a', records: 1 }],
    ['claim', { records: 100, sample: all }],
    ['claim', { database: 'a', records: 100, sample: all }],
    ['claim', { records: 100, sample: { blobs: 3, known: 1, adrift: 0 } }],
    ['strange files', { records: 100, sample: { blobs: 100, known: 99, adrift: 1 } }],
    ['strange files', { sample: { blobs: 1, known: 0, adrift: 1 } }],
    ['strange files', { database: 'a', sample: { blobs: 1, known: 0, adrift: 1 } }],
    ['too early', { sample: { blobs: 1, known: 0, adrift: 0 } }],
  ];
  for (const [verdict, facts] of cases) {
    it(`a database and a storage are judged "${verdict}" for ${JSON.stringify(facts)}`, () => {
      const nothing = { database: undefined, storage: undefined, users: 0, records: 0, sample: none };
      assert.equal(judgeInstallation({ ...nothing, ...facts }), verdict);
    });
  }

  it('two ids decide alone: the same one is right, two are wrong, and one in the storage alone is wrong', () => {
    fc.assert(
      fc.property(state, (facts) => {
        if (facts.storage === undefined) return;
        const expected =
          facts.database === facts.storage
            ? 'same'
            : facts.database === undefined
              ? 'new database'
              : 'two installations';
        assert.equal(judgeInstallation(facts), expected);
      }),
      { numRuns: 300, seed },
    );
  });

  it('without an id of the storage its files decide, and neither the id nor the users of the database', () => {
    fc.assert(
      fc.property(state, (facts) => {
        const { sample, records } = facts;
        const expected =
          sample.blobs === 0
            ? records > 0
              ? 'no files'
              : 'claim'
            : sample.adrift > 0
              ? 'strange files'
              : sample.known > 0
                ? 'claim'
                : 'too early';
        assert.equal(judgeInstallation({ ...facts, storage: undefined }), expected);
      }),
      { numRuns: 500, seed },
    );
  });

  it('a mismatch carries its reason and the facts', () => {
    const facts = { database: 'a', storage: 'b', users: 1, records: 2, sample: { blobs: 3, known: 2, adrift: 1 } };
    const mismatch = new InstallationMismatch('two installations', facts);
    assert.equal(mismatch.message, 'database and storage do not belong together: two installations');
    assert.deepEqual([mismatch.discord, mismatch.facts], ['two installations', facts]);
  });

  it('a new id cannot be the id of a file or of another installation', () => {
    const ids = new Set(Array.from({ length: 100 }, newInstallationId));
    assert.equal(ids.size, 100);
    for (const id of ids) assert.match(id, /^ins_[\w-]{22}$/);
  });
});

describe('the mark of a storage', () => {
  const id = newInstallationId();
  for (const [what, text, expected] of [
    ['an id', id, id],
    ['an id with a line break behind it', `${id}\n`, id],
    ['nothing', '', undefined],
    ['nothing but space', ' \n', undefined],
    ['an id with more behind it', `${id}x`, foreignMark],
    ['two lines', `${id}\n${id}`, foreignMark],
    ['a code of terminals', '\u001b[2J', foreignMark],
    ['a name', 'mine', foreignMark],
  ] as const) {
    it(`of ${what} is ${expected === id ? 'the id' : (expected ?? 'none')}`, () =>
      assert.equal(parseMark(text), expected));
  }
});
