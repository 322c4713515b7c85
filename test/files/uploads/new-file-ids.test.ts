// Ids for new files: noted before they are given, never given twice, and many of them by one commit.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PendingIds } from '../../../src/files/sweeps/removal-queue.ts';
import { createNewFileIds } from '../../../src/files/uploads/new-file-ids.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { memoryRemovals, noon } from '../../helpers/blobs/memory-files.ts';

const minute = 60_000;

function stage() {
  const time = { now: noon };
  const commits: PendingIds[] = [];
  let trouble: Error | undefined;
  const removals = {
    ...memoryRemovals().removals,
    note: async (pending: PendingIds) => {
      await Promise.resolve();
      if (trouble !== undefined) throw trouble;
      commits.push(pending);
    },
  };
  const ids = createNewFileIds({ removals, clock: { now: () => time.now } });
  const fail = (error: Error | undefined) => {
    trouble = error;
  };
  return { ids, time, commits, fail, sizes: () => commits.map((commit) => commit.ids.length) };
}

describe('the ids of new files', () => {
  it('each is noted before it is given, and none is given twice', async () => {
    const { ids, commits } = stage();
    const given: string[] = [];
    for (let at = 0; at < 300; at++) {
      const id = await ids.take(minute);
      assert.ok(
        commits.some((commit) => commit.ids.includes(id)),
        id,
      );
      given.push(id);
    }
    assert.equal(new Set(given).size, 300);
  });

  it('the more are used in their time, the more share a commit, up to 64', async () => {
    const { ids, time, sizes } = stage();
    for (let at = 0; at < 200; at++) await ids.take(minute);
    assert.deepEqual(sizes(), [1, 2, 4, 8, 16, 32, 64, 64, 64]);
    time.now += 11 * minute;
    await ids.take(minute);
    assert.equal(sizes().at(-1), 1, 'after a rest it is one again');
  });

  it('all that wait at the same time share a commit', async () => {
    const { ids, sizes } = stage();
    const given = await Promise.all(Array.from({ length: 50 }, () => ids.take(minute)));
    assert.equal(new Set(given).size, 50);
    assert.deepEqual(sizes(), [1, 49]);
  });

  it('an id is noted for as long as its file may be in the making; what is too old for it is forgotten', async () => {
    const { ids, time, commits } = stage();
    for (let at = 0; at < 4; at++) await ids.take(minute);
    const [, , kept] = commits;
    assert.equal(kept?.until, noon + 10 * minute);
    time.now += 9 * minute;
    assert.ok(kept.ids.includes(await ids.take(minute)));
    time.now += 1;
    const late = await ids.take(minute);
    assert.ok(!kept.ids.includes(late));
    assert.deepEqual([commits.at(-1)?.unused.length, commits.at(-1)?.until], [2, time.now + 10 * minute]);
    await ids.take(60 * minute);
    assert.equal(commits.at(-1)?.until, time.now + 120 * minute);
  });

  it('those who want ids for longer and for less long at once all get one', async () => {
    const { ids, commits } = stage();
    const given = await Promise.all([minute, 90 * minute, minute, 30 * minute].map((least) => ids.take(least)));
    assert.equal(new Set(given).size, 4);
    const long = commits.find((commit) => commit.ids.includes(given[1] ?? assert.fail()));
    assert.ok((long?.until ?? 0) >= noon + 90 * minute);
  });

  it('a database that is away fails those who wait, and the next one asks again', async () => {
    const { ids, fail } = stage();
    fail(new Error('away'));
    const asked = [ids.take(minute), ids.take(minute)];
    for (const one of asked) await assert.rejects(one, /away/);
    fail(undefined);
    assert.ok(await ids.take(minute));
  });

  it('after the note of one was gone, none of its commit is given, and those of a later commit are', async () => {
    const { ids, commits } = stage();
    const given: FileId[] = [];
    for (let at = 0; at < 4; at++) given.push(await ids.take(minute));
    const [, , lost] = commits;
    assert.equal(lost?.ids.length, 4);
    ids.renew(given[3] ?? assert.fail());
    const next = await ids.take(minute);
    const renewed = commits.at(-1);
    assert.ok(!lost.ids.includes(next));
    assert.deepEqual(
      renewed?.unused.toSorted(),
      lost.ids.filter((id) => id !== given[3]),
    );
    const more = await ids.take(minute);
    const count = commits.length;
    ids.renew(given[3] ?? assert.fail());
    assert.ok(commits.at(-1)?.ids.includes(more));
    await ids.take(minute);
    assert.equal(commits.length, count, 'of an earlier commit, it says nothing about this one');
  });

  it('at the end of the process what was not taken is forgotten', async () => {
    const { ids, commits } = stage();
    await ids.close();
    assert.deepEqual(commits, []);
    const taken = [await ids.take(minute), await ids.take(minute)];
    await ids.close();
    const { ids: none, unused } = commits.at(-1) ?? { ids: [], unused: [] };
    assert.deepEqual([none.length, unused.length], [0, 1]);
    assert.ok(unused.every((id) => !taken.includes(id)));
  });
});
