// Contract of FileStore, records: found, listed and deleted by their owner alone, and counted exactly.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newFileId, type StoredFile } from '../../../../src/files/stored-file.ts';
import { type FileId, newUserId, type UserId } from '../../../../src/kernel/ids.ts';
import { asFileId } from '../../../helpers/people/ids.ts';
import { newUser, store } from '../../../helpers/store/file-fixtures.ts';
import { noon } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

onEveryStore('file records', (open) => {
  const files = () => open().ports.files;
  const user = () => newUser(open().ports, noon);
  const add = (userId: UserId, createdAt = noon, file: Partial<StoredFile> = {}) =>
    store(open().ports, userId, createdAt, { file });
  const ids = (list: readonly StoredFile[]) => list.map(({ id }) => id);

  it('findFile returns a record as it was stored, with and without a size in pixels or a charset', async () => {
    const userId = await user();
    const quota = { bytes: 2 ** 42, files: 1000 };
    const film = await store(open().ports, userId, noon, { reservation: { bytes: 2 ** 41 + 1, quota } });
    const sound = await store(open().ports, userId, noon, {
      reservation: { quota },
      file: { width: undefined, height: undefined, name: `"it's"\\ %_ 名前.wav`, charset: 'windows-1252' },
    });
    for (const file of [film, sound]) assert.deepEqual(await files().findFile({ id: file.id, now: noon }), file);
    const inOtherLetters = [sound.id.toLowerCase(), `fil_${sound.id.slice(4).toUpperCase()}`];
    for (const id of [newFileId(), ...inOtherLetters.filter((each) => each !== sound.id), ''])
      assert.equal(await files().findFile({ id: asFileId(id), now: noon }), undefined);
  });

  it('many findFile calls in one turn of the event loop each get their own record', async () => {
    const userId = await user();
    const all = await Promise.all(Array.from({ length: 5 }, () => add(userId)));
    const wanted = [...ids(all), newFileId(), ...ids(all)];
    const found = await Promise.all(wanted.map((id) => files().findFile({ id, now: noon })));
    assert.deepEqual(
      found.map((file) => file?.id),
      wanted.map((id, index) => (index === 5 ? undefined : id)),
    );
  });

  it('listFiles returns the files of one user, newest first, in pages without gaps or duplicates', async () => {
    const userId = await user();
    await add(await user());
    const times = [noon, noon + 1, noon + 1, noon + 1, noon + 2, noon + 2, noon + 3];
    const all: StoredFile[] = [];
    for (const time of times) all.push(await add(userId, time));
    const order = (a: StoredFile, b: StoredFile) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
    const expected = ids(all.toSorted(order));
    for (const most of [1, 2, 3, 7, 100]) {
      const seen: StoredFile[] = [];
      for (let page: StoredFile[] = [], first = true; first || page.length === most; first = false) {
        page = await files().listFiles({ userId, before: seen.at(-1), most, now: noon });
        seen.push(...page);
      }
      assert.deepEqual(ids(seen), expected, `pages of ${most}`);
    }
    assert.deepEqual(await files().listFiles({ userId: newUserId(), before: undefined, most: 10, now: noon }), []);
  });

  it('listFiles continues after a file that was deleted meanwhile', async () => {
    const userId = await user();
    const [old, middle, young] = [await add(userId, noon), await add(userId, noon + 1), await add(userId, noon + 2)];
    await files().deleteFile({ userId, id: middle.id, now: noon });
    assert.deepEqual(ids(await files().listFiles({ userId, before: middle, most: 10, now: noon })), [old.id]);
    assert.deepEqual(ids(await files().listFiles({ userId, before: undefined, most: 10, now: noon })), [
      young.id,
      old.id,
    ]);
  });

  it('listAll returns all records by id, page by page', async () => {
    await add(await user());
    await add(await user());
    const seen: StoredFile[] = [];
    for (let page: StoredFile[] = [], first = true; first || page.length === 3; first = false) {
      page = await files().listAll({ after: seen.at(-1)?.id ?? '', most: 3 });
      seen.push(...page);
    }
    assert.deepEqual(ids(seen), (await open().rows('files')).map(({ id }) => id).toSorted());
  });

  it('deleteFile deletes a file only for its owner, once, and frees its space', async () => {
    const [userId, stranger] = [await user(), await user()];
    const [one, other] = [await add(userId, noon, { size: 30 }), await add(userId, noon, { size: 4 })];
    await add(stranger);
    const remove = (who: UserId, id: FileId) => files().deleteFile({ userId: who, id, now: noon + 5 });
    assert.equal(await remove(stranger, one.id), false);
    assert.equal(await remove(userId, newFileId()), false);
    assert.deepEqual(await files().usage(userId), { bytes: 34, files: 2 });
    assert.deepEqual(await Promise.all([remove(userId, one.id), remove(userId, one.id)]), [true, false]);
    assert.equal(await remove(userId, one.id), false);
    assert.equal(await files().findFile({ id: one.id, now: noon }), undefined);
    assert.deepEqual(await files().usage(userId), { bytes: 4, files: 1 });
    assert.deepEqual(ids(await files().listFiles({ userId, before: undefined, most: 9, now: noon })), [other.id]);
    assert.deepEqual(await files().usage(stranger), { bytes: 100, files: 1 });
    const events = (await open().rows('audit_events')).filter(({ kind }) => kind === 'file.deleted');
    assert.deepEqual(
      events.filter(({ detail }) => detail.includes(one.id)).map((event) => [event.user_id, event.created_at]),
      [[userId, noon + 5]],
    );
  });

  it('deleteUser deletes the files of the user, returns their ids, and leaves the files of others', async () => {
    const [userId, stranger] = [await user(), await user()];
    const mine = [await add(userId), await add(userId)];
    const theirs = await add(stranger);
    const remove = async () => (await open().ports.users.deleteUser({ userId, now: noon })).fileIds;
    const [first, second] = await Promise.all([remove(), remove()]);
    assert.deepEqual([...(first ?? [])].toSorted(), ids(mine).toSorted());
    assert.deepEqual(second, []);
    for (const { id } of mine) {
      assert.equal(await files().findFile({ id, now: noon }), undefined);
      assert.equal(await files().deleteFile({ userId, id, now: noon }), false);
    }
    assert.deepEqual(await files().usage(userId), { bytes: 0, files: 0 });
    assert.deepEqual(await files().findFile({ id: theirs.id, now: noon }), theirs);
  });
});
