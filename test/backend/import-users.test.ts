// The run of an import: batches, remarks in the order of the file, going on after what is done, dry run and stop.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../../src/backend/import/foreign-user.ts';
import { jsonl } from '../../src/backend/import/jsonl.ts';
import type { ImportBatch, ImportOutcome, ImportStore } from '../../src/backend/import-user.ts';
import { type ImportRun, type ImportStep, importUsers, noCounts } from '../../src/backend/import-users.ts';
import { asPhone } from '../helpers/people/ids.ts';

const now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };

function entriesOf(count: number, problemAt?: number): Entry[] {
  return Array.from({ length: count }, (_, at) =>
    at + 1 === problemAt
      ? { line: at + 1, problem: 'broken' }
      : { line: at + 1, value: { externalId: `x${at + 1}`, phone: `+${at}` } },
  );
}

/** Answers `created`, but for the external ids in `refused`. */
function fakeStore(refused: readonly string[] = []) {
  const batches: { readonly verb: 'import' | 'preview'; readonly ids: readonly (string | null)[] }[] = [];
  const answer = (verb: 'import' | 'preview') => async (batch: ImportBatch) => {
    batches.push({ verb, ids: batch.drafts.map(({ externalId }) => externalId) });
    return batch.drafts.map(
      ({ externalId }): ImportOutcome =>
        refused.includes(externalId ?? '') ? 'the phone number belongs to another user' : 'created',
    );
  };
  const imports: ImportStore = { importUsers: answer('import'), previewImport: answer('preview') };
  return { imports, batches };
}

async function running(imports: ImportStore, entries: readonly Entry[], changes: Partial<ImportRun> = {}) {
  const steps: ImportStep[] = [];
  const isComplete = await importUsers(
    { imports, clock },
    {
      entries: (async function* () {
        for (let at = 0; at < entries.length; at += 300) yield entries.slice(at, at + 300);
      })(),
      source: jsonl,
      readPhone: asPhone,
      by: { actor: 'cli', why: '' },
      isDryRun: false,
      done: { records: 0, counts: noCounts },
      onStep: async (step) => void steps.push(step),
      isStopped: () => false,
      ...changes,
    },
  );
  return { steps, isComplete };
}

describe('importUsers', () => {
  it('a thousand records share a commit, and each step tells the place and the counts so far', async () => {
    const { imports, batches } = fakeStore(['x1001']);
    const { steps, isComplete } = await running(imports, entriesOf(2100, 2));
    assert.ok(isComplete);
    assert.deepEqual(
      batches.map(({ verb, ids }) => [verb, ids.length]),
      [
        ['import', 999],
        ['import', 1000],
        ['import', 100],
      ],
    );
    assert.deepEqual(
      steps.map(({ records, line, counts }) => [records, line, counts.created, counts.refused]),
      [
        [1000, 1000, 999, 1],
        [2000, 2000, 1998, 2],
        [2100, 2100, 2098, 2],
      ],
    );
    assert.deepEqual(
      steps.flatMap(({ remarks }) => remarks),
      [
        { line: 2, record: 2, id: null, outcome: 'refused', reason: 'broken' },
        {
          line: 1001,
          record: 1001,
          id: 'x1001',
          outcome: 'refused',
          reason: 'the phone number belongs to another user',
        },
      ],
    );
  });

  it('records that are done are skipped, and their counts are kept', async () => {
    const { imports, batches } = fakeStore();
    const done = { records: 5, counts: { ...noCounts, created: 5 } };
    const { steps } = await running(imports, entriesOf(7), { done });
    assert.deepEqual(batches, [{ verb: 'import', ids: ['x6', 'x7'] }]);
    assert.equal(steps.at(-1)?.counts.created, 7);
  });

  it('a dry run only asks', async () => {
    const { imports, batches } = fakeStore();
    await running(imports, entriesOf(3), { isDryRun: true });
    assert.deepEqual(
      batches.map(({ verb }) => verb),
      ['preview'],
    );
  });

  it('a run that is stopped commits what it has read, and says that it is not complete', async () => {
    const { imports, batches } = fakeStore();
    let asked = 0;
    const { steps, isComplete } = await running(imports, entriesOf(2000), { isStopped: () => ++asked >= 1500 });
    assert.ok(!isComplete);
    assert.equal(steps.at(-1)?.records, batches.flatMap(({ ids }) => ids).length);
  });

  it('a failure of the store ends the run, and no user counts as done after it', async () => {
    const failing: ImportStore = { ...fakeStore().imports, importUsers: () => Promise.reject(new Error('gone')) };
    const steps: ImportStep[] = [];
    const run = running(failing, entriesOf(3000), { onStep: async (step) => void steps.push(step) });
    await assert.rejects(run, /gone/);
    assert.deepEqual(steps, []);
  });

  it('a record that is no object, or whose fields do not fit, is remarked', async () => {
    const values = [7, ['x'], { externalId: 'a', phone: '+1', claims: 'x' }, { externalId: 'b' }];
    const { steps } = await running(
      fakeStore().imports,
      values.map((value, at) => ({ line: at + 1, value })),
    );
    assert.deepEqual(
      steps.flatMap(({ remarks }) => remarks.map(({ id, outcome, reason }) => [id, outcome, reason])),
      [
        [null, 'refused', 'the record is no object'],
        [null, 'refused', 'the record is no object'],
        ['a', 'imported', 'left out: the claims are no JSON object that can be stored'],
        ['b', 'refused', 'no way in'],
      ],
    );
    assert.deepEqual(steps.at(-1)?.counts, { created: 1, completed: 0, unchanged: 0, refused: 3, reduced: 1 });
  });

  it('a record without some of its fields that is refused has one remark, and is not counted as imported', async () => {
    const value = { externalId: 'a', phone: '+1', email: 'a@example.com' };
    const { steps } = await running(fakeStore(['a']).imports, [{ line: 1, value }]);
    assert.deepEqual(
      steps.flatMap(({ remarks }) => remarks.map(({ outcome, reason }) => [outcome, reason])),
      [['refused', 'the phone number belongs to another user']],
    );
    assert.deepEqual(steps.at(-1)?.counts, { ...noCounts, refused: 1 });
  });
});
