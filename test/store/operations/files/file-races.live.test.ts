// Two processes store, delete, restore and sweep files at the same moment: quotas stay exact, each file has one outcome, and none stays without its user.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { rounds } from '../../../helpers/faults/rounds.ts';
import { asUserId } from '../../../helpers/people/ids.ts';
import { reservation } from '../../../helpers/store/file-fixtures.ts';
import { minute, newPhone, noon, signIn } from '../../../helpers/store/fixtures.ts';
import { startChild } from '../../../helpers/store/start-child.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { fileOf } from '../../races/file-races.ts';
import { setRacing } from '../../races/racing.ts';
import { trashEnd } from '../../races/trash-races.ts';
import { sweepAll } from '../sweep-all.ts';

const roundsPerRace = rounds(100);
const allFiles = Array.from({ length: roundsPerRace }, (_, index) => fileOf(index + 1)).toSorted();

onEveryStore('files and two processes', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);
  /** Counts the files and the usage of deleted users. */
  const orphans = async () => [
    await count('files where user_id not in (select id from users)'),
    await count('file_usage where user_id not in (select id from users)'),
  ];

  const events = (what: string) => count(`audit_events where kind = '${what}'`);
  const users = (files: number) => count(`file_usage where files = ${files} and bytes = ${files * 100}`);
  /** What both processes have left to each other. */
  const sweepRest = async () => {
    const rest: string[] = [];
    for (;;) {
      const ids = await open().ports.trash.sweepFiles({ now: trashEnd, most: 100 });
      rest.push(...ids);
      if (ids.length < 100) return rest;
    }
  };
  const idsIn = (outcomes: readonly string[]) => outcomes.flatMap((ids) => ids.split(' ')).filter((id) => id !== '');

  it('one of two processes gets the last space of a quota', async (context) => {
    each(await race('the last space of a quota', context), ['reserved', 'full']);
    assert.equal(await count('uploads'), roundsPerRace);
  });

  for (const [name, most, usage] of [
    ['the bytes of one user', 50, { bytes: 500, files: 50 }],
    ['the bytes of one user, without reservations', 50, { bytes: 500, files: 50 }],
    ['the count of one user', 37, { bytes: 0, files: 37 }],
  ] as const) {
    it(`a hundred uploads at once get exactly the quota: ${name}`, async (context) => {
      const outcomes = (await race(name, context, 50)).flat().map((outcome) => outcome.split(' ')[0]);
      assert.equal(outcomes.filter((outcome) => outcome === 'stored').length, most);
      assert.equal(outcomes.filter((outcome) => outcome === 'full').length, 100 - most);
      assert.deepEqual(await open().ports.files.usage(asUserId('user-1')), usage);
      assert.equal(await count('files'), most);
      assert.equal(await count('uploads'), 0);
    });
  }

  it('one idempotency key makes one file, and the other process gets that file or a wait', async (context) => {
    const pairs = await race('one Idempotency-Key', context);
    for (const pair of pairs) {
      const [first = '', second = ''] = pair.toSorted().toReversed();
      assert.match(first, /^stored /);
      assert.ok(second === 'in progress' || second === first.replace('stored', 'known'), pair.join());
    }
    assert.equal(await count('files'), roundsPerRace);
    assert.equal(await count('idempotency_keys'), roundsPerRace);
    assert.equal(await count('file_usage where files = 1 and bytes = 100'), roundsPerRace);
  });

  it('one idempotency key makes one file of two uploads with expired leases', async (context) => {
    each(await race('two late settlements of one key', context), ['stored', 'known']);
    assert.equal(await count('files'), roundsPerRace);
    assert.equal(await count('file_usage where files = 1'), roundsPerRace);
  });

  it('one of two processes deletes a file, and its space is freed once', async (context) => {
    each(await race('one deletion of one file', context), ['deleted', 'not found']);
    assert.equal(await count('files'), 0);
    assert.equal(await count('file_usage where files = 0 and bytes = 0'), roundsPerRace);
    assert.equal(await count("audit_events where kind = 'file.deleted'"), roundsPerRace);
  });

  it('a file is removed by its own deletion or by that of its account, never by both', async (context) => {
    const pairs = await race('a file and its account', context);
    const odd = pairs.filter(([file, account]) => account !== (file === 'deleted' ? '0 files' : '1 files'));
    assert.deepEqual(odd, []);
    assert.deepEqual(await orphans(), [0, 0]);
  });

  it('a settled file is deleted with its account, or is not stored at all', async (context) => {
    const pairs = await race('a settlement and the deletion of its account', context);
    const odd = pairs.filter((pair) => !['stored,1 files', 'gone,0 files'].includes(pair.join()));
    assert.deepEqual(odd, []);
    assert.deepEqual(await orphans(), [0, 0]);
  });

  it('a first upload leaves no row of a deleted account', async (context) => {
    const pairs = await race('a first upload and the deletion of its account', context);
    const odd = pairs.filter((pair) => !['stored,1 files', 'gone,0 files'].includes(pair.join()));
    assert.deepEqual(odd, []);
    assert.deepEqual(await orphans(), [0, 0]);
  });

  it('one of two processes moves a file to the trash, and it still counts', async (context) => {
    each(await race('one deletion into the trash', context), ['deleted', 'not found']);
    assert.equal(await count('files where deleted_at is not null'), roundsPerRace);
    assert.equal(await users(1), roundsPerRace);
    assert.equal(await events('file.trashed'), roundsPerRace);
  });

  it('a file is restored or removed with the trash, never both', async (context) => {
    const pairs = await race('a restore and the emptying of the trash', context);
    const odd = pairs.filter((pair) => !['restored,0 files', 'not found,1 files'].includes(pair.join()));
    assert.deepEqual(odd, []);
    const restored = pairs.filter(([outcome]) => outcome === 'restored').length;
    assert.deepEqual([await users(1), await users(0)], [restored, roundsPerRace - restored]);
    assert.equal(await count('files where deleted_at is null and sweep_at is null'), restored);
    assert.equal(await events('file.removed'), roundsPerRace - restored);
  });

  it('a file is restored or swept, never both', async (context) => {
    const pairs = await race('a restore and the sweep', context);
    const restored = pairs.flatMap(([outcome], index) => (outcome === 'restored' ? [fileOf(index + 1)] : []));
    const swept = [...idsIn(pairs.map(([, ids]) => ids)), ...(await sweepRest())];
    assert.deepEqual([...restored, ...swept].toSorted(), allFiles);
    assert.deepEqual([await users(1), await users(0)], [restored.length, swept.length]);
    assert.equal(await count('files'), restored.length);
    assert.equal(await events('file.removed'), swept.length);
  });

  it('two sweeps never remove the same file', async (context) => {
    const pairs = await race('two sweeps', context);
    assert.deepEqual([...idsIn(pairs.flat()), ...(await sweepRest())].toSorted(), allFiles);
    assert.equal(await users(0), roundsPerRace);
    assert.equal(await events('file.removed'), roundsPerRace);
  });

  it('the space held by a killed process is free when its lease ends, and the sweeper removes the row', async () => {
    const { ports, store } = open();
    const child = startChild(new URL('../../races/race-child.ts', import.meta.url), [kind, open().address, '0']);
    await once(child, 'message');
    await signIn(ports, newPhone(), noon, { newUserId: asUserId('user-1') });
    child.send({ race: 'the last space of a quota', rounds: [1] });
    assert.deepEqual((await once(child, 'message'))[0], ['reserved']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const quota = { bytes: 199, files: 9 };
    const again = async (now: number) =>
      (await ports.files.reserve(reservation(asUserId('user-1'), now, { quota }))).kind;
    assert.equal(await again(noon + minute - 1), 'full');
    const swept = await sweepAll(store, noon + minute + 1);
    assert.equal(swept.get('uploads'), 1);
    assert.equal(await count('uploads'), 0);
    assert.equal(await again(noon), 'reserved');
  });
});
