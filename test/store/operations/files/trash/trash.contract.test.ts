// Contract of TrashStore: a deleted file is gone for readers, counts, comes back or goes for good, exactly once.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredFile } from '../../../../../src/files/stored-file.ts';
import type { TrashedFile } from '../../../../../src/files/trash/trash.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import type { FileId, UserId } from '../../../../../src/kernel/ids.ts';
import { asFileId, asUploadId } from '../../../../helpers/people/ids.ts';
import { newUser, reservation, settlement, store } from '../../../../helpers/store/file-fixtures.ts';
import { day, hour, noon } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const life = 7 * day;

onEveryStore('the trash', (open) => {
  const files = () => open().ports.files;
  const trash = () => open().ports.trash;
  const user = () => newUser(open().ports, noon);
  const add = (userId: UserId, file: Partial<StoredFile> = {}) => store(open().ports, userId, noon, { file });
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  const throwAway = (userId: UserId, id: FileId, now = noon + hour) =>
    files().deleteFile({ userId, id, now, trashUntil: now + life });
  const listed = async (userId: UserId, now = noon + hour) => ({
    files: ids(await files().listFiles({ userId, before: undefined, most: 9, now })),
    trash: ids(await trash().listTrash({ userId, before: undefined, most: 9, now })),
  });
  const kindsAbout = async (id: string) =>
    (await open().rows('audit_events')).filter(({ detail }) => detail.includes(id)).map(({ kind }) => kind);
  const sweep = async (now: number) => {
    const swept: string[] = [];
    for (;;) {
      const batch = await trash().sweepFiles({ now, most: 2 });
      swept.push(...batch);
      if (batch.length < 2) return swept;
    }
  };

  it('a deleted file is in the trash alone, still counts, and comes back as it was', async () => {
    const userId = await user();
    const [file, other] = [await add(userId, { size: 30 }), await add(userId, { size: 4 })];
    assert.equal(await throwAway(userId, file.id), true);
    assert.equal(await throwAway(userId, file.id), false, 'a second deletion does not find it');
    assert.equal(await files().findFile({ id: file.id, now: noon + hour }), undefined);
    assert.deepEqual(await listed(userId), { files: [other.id], trash: [file.id] });
    const trashed = { ...file, deletedAt: noon + hour };
    assert.deepEqual(await files().findRecord(file.id), trashed);
    const [shown] = await trash().listTrash({ userId, before: undefined, most: 9, now: noon + hour });
    assert.deepEqual(shown, { ...trashed, removedAt: noon + hour + life });
    assert.deepEqual(await files().usage(userId), { bytes: 34, files: 2 });
    assert.deepEqual(await trash().measureTrash(userId), { bytes: 30, files: 1 });
    const restore = () => trash().restoreFile({ userId, id: file.id, now: noon + 2 * hour });
    assert.deepEqual(await restore(), file);
    assert.deepEqual(await restore(), file, 'a repeated restore changes nothing');
    assert.deepEqual(await files().findFile({ id: file.id, now: noon + 2 * hour }), file);
    assert.deepEqual(await trash().measureTrash(userId), { bytes: 0, files: 0 });
    assert.deepEqual(await kindsAbout(file.id), ['file.stored', 'file.trashed', 'file.restored']);
    const [row] = (await open().rows('files')).filter(({ id }) => id === file.id);
    assert.deepEqual([row?.deleted_at, row?.sweep_at], [null, null]);
  });

  it('the trash of a user is closed to other users', async () => {
    const [userId, stranger] = [await user(), await user()];
    const file = await add(userId);
    await throwAway(userId, file.id);
    const theirs = { userId: stranger, id: file.id, now: noon + hour };
    assert.equal(await trash().restoreFile(theirs), undefined);
    assert.equal(await trash().removeFromTrash(theirs), false);
    assert.deepEqual(await trash().emptyTrash({ userId: stranger, now: noon + day, most: 9 }), []);
    assert.deepEqual(await listed(userId), { files: [], trash: [file.id] });
  });

  it('the trash is listed newest deletion first, in pages without gaps', async () => {
    const userId = await user();
    const all = [await add(userId), await add(userId), await add(userId)];
    for (const [at, { id }] of all.entries()) await throwAway(userId, id, noon + hour + Math.min(at, 1));
    const [oldest, ...pair] = ids(all);
    const expected = [...pair.toSorted().toReversed(), oldest];
    const seen: TrashedFile[] = [];
    for (let page = 0; page < 3; page++)
      seen.push(...(await trash().listTrash({ userId, before: seen.at(-1), most: 1, now: noon + hour })));
    assert.deepEqual(ids(seen), expected);
    assert.deepEqual(
      (await listed(userId, noon + hour + life)).trash,
      pair.toSorted().toReversed(),
      'its time is over',
    );
  });

  it('a file that is removed from the trash, or found there by emptying, frees its space once and loses its sharing', async () => {
    const userId = await user();
    const all = [await add(userId), await add(userId), await add(userId), await add(userId)];
    const [one, two, late, kept] = ids(all) as [string, string, string, string];
    for (const id of [one, two]) await throwAway(userId, asFileId(id));
    await throwAway(userId, asFileId(late), noon + 2 * hour);
    for (const id of [one, kept]) await share(id);
    const remove = (id: FileId) => trash().removeFromTrash({ userId, id, now: noon + hour });
    assert.deepEqual(await Promise.all([remove(asFileId(one)), remove(asFileId(one)), remove(asFileId(kept))]), [
      true,
      false,
      false,
    ]);
    assert.deepEqual(await files().usage(userId), { bytes: 300, files: 3 });
    assert.deepEqual(await sharing(), { links: [kept], readers: [kept] });
    const empty = (most: number) => trash().emptyTrash({ userId, now: noon + hour, most });
    assert.deepEqual(await Promise.all([empty(1), empty(1)]), [[two], []], 'later deletions stay');
    assert.deepEqual(await listed(userId), { files: [kept], trash: [late] });
    assert.deepEqual(await files().usage(userId), { bytes: 200, files: 2 });
    assert.deepEqual(await kindsAbout(two), ['file.stored', 'file.trashed', 'file.removed']);
  });

  const share = async (fileId: string) => {
    await open().query(
      `insert into file_links (id, file_id, user_id, epoch, created_at, expires_at, used, sweep_at)
        values ('${newId()}', '${fileId}', 'owner', 0, 0, 0, 0, 0)`,
    );
    await open().query(`insert into file_readers values ('${fileId}', 'reader', 0)`);
  };
  const sharing = async () => ({
    links: (await open().rows('file_links')).map((row) => row.file_id),
    readers: (await open().rows('file_readers')).map((row) => row.file_id),
  });

  it('the sweep removes what is over, trash and expired files alike, in small batches, and nothing else', async () => {
    const userId = await user();
    const keepUntil = noon + 2 * hour;
    const [old, expiring, both, young, plain] = ids([
      await add(userId),
      await add(userId, { keepUntil }),
      await add(userId, { keepUntil }),
      await add(userId),
      await add(userId),
    ]) as [string, string, string, string, string];
    await files().deleteFile({ userId, id: asFileId(old), now: noon, trashUntil: noon + hour });
    await files().deleteFile({ userId, id: asFileId(both), now: noon, trashUntil: noon + day });
    await throwAway(userId, asFileId(young));
    assert.deepEqual(await listed(userId, keepUntil), { files: [plain], trash: [young] }, 'gone before the sweep');
    assert.equal(await trash().restoreFile({ userId, id: asFileId(expiring), now: keepUntil }), undefined);
    assert.deepEqual(await trash().sweepFiles({ now: noon + hour - 1, most: 9 }), []);
    assert.deepEqual((await sweep(keepUntil)).toSorted(), [old, expiring, both].toSorted());
    assert.deepEqual(await files().usage(userId), { bytes: 200, files: 2 });
    for (const id of [old, expiring, both]) assert.equal(await files().findRecord(asFileId(id)), undefined);
    const kinds = await Promise.all([old, expiring, both].map(kindsAbout));
    assert.deepEqual(kinds, [
      ['file.stored', 'file.trashed', 'file.removed'],
      ['file.stored', 'file.expired'],
      ['file.stored', 'file.trashed', 'file.removed'],
    ]);
    assert.equal(await trash().restoreFile({ userId, id: asFileId(old), now: noon }), undefined);
    assert.deepEqual(await listed(userId, keepUntil), { files: [plain], trash: [young] });
  });

  it('a file in the trash keeps the end that it was given', async () => {
    const userId = await user();
    const { id } = await add(userId);
    await throwAway(userId, id, noon);
    assert.equal(await throwAway(userId, id, noon + day), false);
    assert.equal(await files().deleteFile({ userId, id, now: noon + day }), false, 'also without a trash');
    assert.equal(
      (await trash().listTrash({ userId, before: undefined, most: 1, now: noon }))[0]?.removedAt,
      noon + life,
    );
  });

  it('staff deletes a file from the trash for good', async () => {
    const userId = await user();
    const { id } = await add(userId);
    await throwAway(userId, id);
    const by = { actor: 'cli', why: 'law' } as const;
    assert.equal(await files().deleteFile({ userId, id, now: noon + hour, by }), true);
    assert.deepEqual(await files().usage(userId), { bytes: 0, files: 0 });
    assert.deepEqual(await kindsAbout(id), ['file.stored', 'file.trashed', 'file.removed']);
  });

  it('an Idempotency-Key takes a file in the trash, and one past its time, for deleted', async () => {
    for (const change of ['trash', 'expiry'] as const) {
      const userId = await user();
      const reserved = reservation(userId, noon, { keyId: newId() });
      const settled = settlement(reserved, change === 'expiry' ? { file: { keepUntil: noon + hour } } : {});
      await files().reserve(reserved);
      await files().settle(settled);
      const again = { ...reserved, uploadId: asUploadId(newId()), now: noon + hour, leaseUntil: noon + 2 * hour };
      if (change === 'trash') {
        assert.equal((await files().reserve({ ...again, uploadId: asUploadId(newId()) })).kind, 'known');
        await throwAway(userId, settled.file.id);
      }
      assert.equal((await files().reserve(again)).kind, 'reserved', change);
      assert.equal((await files().settle(settlement(again))).kind, 'stored', change);
      assert.deepEqual(await files().usage(userId), { bytes: 200, files: 2 });
    }
  });

  it('the deletion of a user takes the trash and the expired files along', async () => {
    const userId = await user();
    const all = [await add(userId), await add(userId, { keepUntil: noon + 1 })];
    await throwAway(userId, all[0]?.id ?? asFileId(''));
    for (const { id } of all) await share(id);
    const { fileIds } = await open().ports.users.deleteUser({ userId, now: noon + hour });
    assert.deepEqual([...fileIds].toSorted(), ids(all).toSorted());
    const left = await sharing();
    for (const { id } of all) assert.ok(!left.links.includes(id) && !left.readers.includes(id));
  });
});
