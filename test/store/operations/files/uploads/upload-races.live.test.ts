// Two processes work on one upload in several requests at the same moment: one writer, one finisher, one file, and no part of nobody.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { setRacing } from '../../../races/racing.ts';

const roundsPerRace = rounds(60);

onEveryStore('uploads in several requests and two processes', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);
  /** Uploads without reservation, reservations without upload, and parts without upload. */
  const loose = async () => [
    await count('resumables where file_id is null and id not in (select id from uploads)'),
    await count('uploads where id not in (select id from resumables)'),
    await count('upload_parts where upload_id not in (select id from resumables)'),
  ];
  const onlyOf = (pairs: readonly (readonly [string, string])[], allowed: readonly string[]) =>
    assert.deepEqual(
      pairs.filter((pair) => !allowed.includes(pair.join())),
      [],
    );

  it('of two writers, the bytes of those who were the newest are recorded', async (context) => {
    const pairs = await race('two writers of one upload', context);
    onlyOf(pairs, [
      ...['advanced,lost', 'lost,advanced'],
      // One came after the other had advanced.
      ...['advanced,wrong offset', 'wrong offset,advanced'],
    ]);
    assert.equal(await count('upload_parts'), roundsPerRace);
    assert.equal(await count('resumables where parts = 1 and received in (10, 11)'), roundsPerRace);
    assert.equal(await count('uploads where bytes in (10, 11)'), roundsPerRace);
  });

  it('one of two finishers begins', async (context) => {
    each(await race('two finishers of one upload', context), ['begun', 'finishing']);
  });

  it('two settlements store one file, and both processes answer it', async (context) => {
    const pairs = await race('two settlements of one upload', context);
    for (const pair of pairs) {
      const [stored = '', before = ''] = pair.toSorted().toReversed();
      assert.match(stored, /^stored /);
      assert.equal(before, stored.replace('stored', 'before'));
    }
    assert.equal(await count('files'), roundsPerRace);
    assert.equal(await count('file_usage where files = 1 and bytes = 100'), roundsPerRace);
    assert.equal(await count('uploads'), 0);
  });

  it('an upload is stored or cancelled, never both', async (context) => {
    onlyOf(await race('a settlement and a cancellation', context), ['stored,stored', 'ended,cancelled']);
    assert.equal(await count('files'), await count('resumables'));
    assert.deepEqual(await loose(), [0, 0, 0]);
  });

  it('a cancelled upload keeps no bytes that were recorded at the same moment', async (context) => {
    onlyOf(await race('an advance and a cancellation', context), ['advanced,cancelled', 'lost,cancelled']);
    assert.equal(await count('uploads'), 0);
    assert.equal(await count('upload_parts'), 0);
  });

  it('a deleted account keeps no bytes that were recorded at the same moment', async (context) => {
    onlyOf(await race('an advance and the deletion of its account', context), ['advanced,deleted', 'gone,deleted']);
    for (const table of ['uploads', 'resumables', 'upload_parts']) assert.equal(await count(table), 0, table);
  });

  it('one key makes one upload', async (context) => {
    each(await race('two creations with one key', context), ['created', 'open']);
    assert.equal(await count('uploads'), roundsPerRace);
    assert.deepEqual(await loose(), [0, 0, 0]);
  });

  it('a growing upload and a plain one never exceed the quota together', async (context) => {
    onlyOf(await race('a growing upload and a plain one, for the last space', context), [
      'advanced,full',
      'full,reserved',
    ]);
    assert.equal(await count('uploads where bytes = 100'), roundsPerRace);
  });
});
