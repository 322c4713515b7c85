// The sweep of blobs without a record: only those seen so twice, a day apart, are removed; never many; one node at a time; it resumes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, it } from 'node:test';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import { type EmptiedQueue, emptyRemovals } from '../../../src/files/sweeps/empty-removals.ts';
import type { RemovalQueue } from '../../../src/files/sweeps/removal-queue.ts';
import { removeBytes } from '../../../src/files/sweeps/remove-bytes.ts';
import { type SweepDeps, sweepBlobs } from '../../../src/files/sweeps/sweep-blobs.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { keepBytes, listIds, makeOld, someBytes } from '../../helpers/blobs/blobs.ts';
import { newUser, store } from '../../helpers/store/file-fixtures.ts';
import { day, hour } from '../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../helpers/store/test-store.ts';
import { withoutRests } from '../../helpers/without-rests.ts';

onEveryStore('the sweep of blobs', (open) => {
  const begin = Date.now();
  let now = begin;
  let root = '';
  let blobs: BlobStore;
  let lines: unknown[][] = [];
  const folders: string[] = [];
  const log = (level: string) => (event: string, facts?: object) => lines.push([level, event, facts]);
  const deps = (changed: Partial<BlobStore> = {}): SweepDeps & { removals: RemovalQueue } => ({
    files: open().ports.files,
    sweeps: open().ports.sweeps,
    removals: open().ports.removals,
    blobs: { ...blobs, ...changed },
    clock: { now: () => now },
    log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
  });
  const orphan = async (count = 1) => {
    const ids = await Promise.all(Array.from({ length: count }, () => keepBytes(blobs, someBytes(5))));
    makeOld(root);
    return ids;
  };
  const recorded = async () => {
    const { id } = await store(open().ports, await newUser(open().ports, now), now, { file: { size: 7 } });
    return id;
  };
  /** Their files are made old together, when the storage renames none of them any more. */
  const wholes = async (count: number) => {
    const ids = await Promise.all(Array.from({ length: count }, recorded));
    await Promise.all(ids.map((id) => keepBytes(blobs, someBytes(7), id)));
    makeOld(root);
    return ids;
  };
  const whole = async () => {
    const [id = newFileId()] = await wholes(1);
    return id;
  };
  /** A whole pass by one node. */
  const pass = async (at: number, bounds?: Parameters<typeof sweepBlobs>[2]) => {
    now = begin + at;
    let removed = 0;
    for (;;) {
      const outcome = await sweepBlobs(deps(), 'one node', bounds);
      removed += outcome.removed;
      if (outcome.state !== 'on') return { state: outcome.state, removed };
    }
  };
  const events = async () =>
    (await open().rows('audit_events')).filter(({ kind }) => kind === 'sweep.stopped').map(({ detail }) => detail);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-sweep-'));
    folders.push(root);
    blobs = createDiskBlobs(root);
    lines = [];
    now = begin;
    for (const table of ['files', 'orphans', 'blob_sweeps', 'audit_events']) await open().query(`delete from ${table}`);
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('the sweep removes and logs blobs seen without a record in two passes a day apart, and nothing else', async () => {
    const kept = [await whole(), await whole()];
    const lost = await orphan(2);
    assert.deepEqual(await pass(0), { state: 'ended', removed: 0 });
    assert.deepEqual(await pass(hour), { state: 'idle', removed: 0 }, 'the next pass is not due');
    assert.deepEqual(await pass(7 * hour), { state: 'ended', removed: 0 });
    const [late = ''] = await orphan();
    assert.deepEqual(await pass(day - 1), { state: 'ended', removed: 0 });
    assert.deepEqual(await listIds(blobs), [...kept, ...lost, late].toSorted());
    assert.deepEqual(await pass(day + 6 * hour), { state: 'ended', removed: 2 });
    assert.deepEqual(await listIds(blobs), [...kept, late].toSorted());
    const reports = lines.map(([level, event, facts]) => `${level} ${event} ${(facts as { file: string }).file}`);
    assert.deepEqual(reports.toSorted(), lost.map((id) => `info removing a blob without a record ${id}`).toSorted());
    assert.deepEqual(await pass(2 * day + 6 * hour), { state: 'ended', removed: 1 });
    assert.deepEqual(await listIds(blobs), kept.toSorted());
    assert.deepEqual(await open().rows('orphans'), []);
  });

  it('the sweep spares a blob that has a record when it is due, and starts over with one that was not seen in between', async () => {
    const { sweeps } = open().ports;
    const [saved = newFileId()] = await orphan();
    await pass(0);
    const { userId } = await store(open().ports, await newUser(open().ports, now), now, {
      file: { id: saved, size: 5 },
    });
    assert.deepEqual(await pass(2 * day), { state: 'ended', removed: 0 });
    assert.deepEqual(await listIds(blobs), [saved]);
    await open().ports.files.deleteFile({ userId, id: saved, now });
    assert.deepEqual(await pass(3 * day), { state: 'ended', removed: 0 }, 'a pass in between saw its record');
    assert.deepEqual(await pass(4 * day + 1), { state: 'ended', removed: 1 });
    const id = newFileId();
    const note = (inPass: number, at: number) => sweeps.note({ ids: [id], pass: inPass, now: begin + at });
    assert.deepEqual(await note(10, 0), []);
    assert.deepEqual(await note(10, 5 * day), [], 'the same pass, however long it takes');
    assert.deepEqual(await note(11, 5 * day), [id]);
    assert.deepEqual(await note(13, 6 * day), [], 'it was not there in pass 12');
    assert.deepEqual(await note(14, 7 * day - 1), []);
    assert.deepEqual(await note(15, 7 * day), [id]);
  });

  it('the sweep checks again right before it removes', async () => {
    const [id = newFileId()] = await orphan();
    await pass(0);
    now = begin + 2 * day;
    const { sweeps } = deps();
    const note: typeof sweeps.note = async (input) => {
      const due = await sweeps.note(input);
      await store(open().ports, await newUser(open().ports, now), now, { file: { id, size: 5 } });
      return due;
    };
    assert.deepEqual(await sweepBlobs({ ...deps(), sweeps: { ...sweeps, note } }, 'n'), { state: 'ended', removed: 0 });
    assert.deepEqual(await listIds(blobs), [id]);
  });

  it('the sweep removes nothing if many blobs have no record, reports it once, and continues when an operator has corrected it', async () => {
    await whole();
    const lost = await orphan(21);
    for (const at of [0, 1, 2]) assert.equal((await pass(at * day * 1.5)).removed, 0);
    assert.equal((await listIds(blobs)).length, 22);
    const last = await open().ports.sweeps.read();
    assert.deepEqual([last?.isStopped, last?.orphans, last?.blobs], [true, 21, 22]);
    assert.deepEqual(await events(), [JSON.stringify({ blobs: 22, orphans: 21 })]);
    const warnings = lines.filter(([level, event]) => level === 'warn' && String(event).startsWith('too many'));
    assert.equal(warnings.length, 3, 'once a pass');
    await open().ports.sweeps.recount({ blobs: 22, orphans: 20, missing: 0, now });
    assert.equal((await open().ports.sweeps.read())?.isStopped, false);
    await blobs.remove(lost[0] ?? newFileId());
    assert.equal((await pass(5 * day)).removed, 20);
    assert.equal((await listIds(blobs)).length, 1);
  });

  it('the sweep resumes in the next slice, on any node, after a kill or a failure, and counts each blob once', async () => {
    const all = [...(await wholes(9)), ...(await orphan(4))];
    const missing = await recorded();
    const bounds = { ids: 3, findings: 200, milliseconds: 60_000 };
    const slice = (holder: string, changed?: Partial<BlobStore>) => sweepBlobs(deps(changed), holder, bounds);
    assert.equal((await slice('one')).state, 'on');
    assert.equal((await slice('two')).state, 'idle', 'the lease is held');
    now += 301_000;
    assert.equal((await slice('two')).state, 'on', 'the lease of the first has ended');
    assert.equal((await slice('one')).state, 'idle');
    const broken = { list: () => assert.fail('the storage is unavailable') };
    await assert.rejects(slice('two', broken), /unavailable/);
    for (let state = 'on'; state === 'on'; ) state = (await slice('two')).state;
    const last = await open().ports.sweeps.read();
    assert.deepEqual([last?.blobs, last?.orphans, last?.missing], [all.length, 4, 1]);
    assert.ok(lines.some(([level, event]) => level === 'warn' && event === 'records have no blob'));
    // A day later: killed between the removal and the record of its progress.
    now += 2 * day;
    const { sweeps } = deps();
    const advance = () => assert.fail('killed');
    const killed = { ...deps(), sweeps: { ...sweeps, advance } };
    for (let round = 0; round < 2; round++) await assert.rejects(sweepBlobs(killed, 'three', bounds), /killed/);
    now += 301_000;
    for (let state = 'on'; state === 'on'; ) state = (await slice('four')).state;
    assert.equal((await listIds(blobs)).length, 9);
    assert.ok(!(await listIds(blobs)).includes(missing));
  });

  it('only one node advances the sweep, and an overtaken node loses its turn and counts nothing', async () => {
    const { sweeps } = open().ports;
    await pass(0);
    now += 7 * hour;
    const [first, second] = await Promise.all(['a', 'b'].map((holder) => sweeps.claim({ holder, now })));
    assert.equal([first, second].filter((turn) => turn !== undefined).length, 1);
    const winner = first === undefined ? 'b' : 'a';
    const { pass: number = 0 } = first ?? second ?? {};
    now += 301_000;
    assert.deepEqual(await sweeps.claim({ holder: 'c', now }), { pass: number, place: '', isStopped: false });
    const step = { pass: number, from: '', to: 'fil_x', blobs: 5, orphans: 0, missing: 0, now };
    assert.equal(await sweeps.advance({ ...step, holder: winner }), 'lost');
    assert.equal(await sweeps.advance({ ...step, holder: 'c' }), 'on');
    assert.equal(await sweeps.advance({ ...step, holder: 'c' }), 'lost', 'the same slice twice');
    const end = await sweeps.advance({ ...step, holder: 'c', from: 'fil_x', to: undefined, blobs: 2 });
    assert.deepEqual(end, { blobs: 7, orphans: 0, missing: 0, endedAt: now, isStopped: false });
    assert.equal(await sweeps.claim({ holder: 'd', now: now + 6 * hour - 1 }), undefined);
    // A clock that was a year ahead and was corrected.
    assert.equal((await sweeps.claim({ holder: 'd', now: now - 365 * day }))?.pass, number + 1);
    assert.equal((await sweeps.claim({ holder: 'e', now: now - 365 * day + 1 }))?.pass, undefined);
    assert.equal((await sweeps.claim({ holder: 'e', now: now - 730 * day }))?.pass, number + 1);
  });

  it('the sweep soon removes the bytes of files that were deleted while the storage was unavailable', async () => {
    await open().query('delete from removals');
    const [one = newFileId(), two = newFileId()] = await orphan(2);
    const kept = await whole();
    await open().ports.removals.note({ ids: [one, two], until: now, unused: [] });
    let tries = 0;
    const away = () => {
      tries += 1;
      return Promise.reject(new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }));
    };
    assert.deepEqual(await removeBytes(deps({ remove: away }), [one, two]), [one, two]);
    assert.equal(tries, 1, 'the deletion does not wait for each file');
    await assert.rejects(empty(deps({ remove: away })));
    assert.deepEqual(await empty(deps()), [], 'a storage that is away is not asked all the time');
    now += 15_000;
    // Queued by mistake: its record is believed.
    await open().query(`insert into removals (id, due_at, tries, looks) values ('${kept}', ${now}, 0, 2)`);
    assert.deepEqual(await empty(deps()), [{ files: 2, uploads: 0 }]);
    assert.deepEqual(await listIds(blobs), [kept]);
    now += hour;
    assert.deepEqual(await empty(deps()), [{ files: 2, uploads: 0 }], 'once more, for bytes that came late');
    assert.deepEqual(await open().rows('removals'), []);
  });
});

async function empty(deps: Parameters<typeof emptyRemovals>[0]): Promise<EmptiedQueue[]> {
  const reports: EmptiedQueue[] = [];
  await emptyRemovals(deps, withoutRests(), (emptied) => reports.push(emptied));
  return reports;
}
