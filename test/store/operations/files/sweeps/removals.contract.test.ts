// Contract of RemovalQueue: every commit that forgets bytes queues them, two nodes never get the same, and a record is believed.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newUploadId } from '../../../../../src/files/resumable/resumable-upload.ts';
import { newFileId } from '../../../../../src/files/stored-file.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import { type FileId, newUserId, type UserId } from '../../../../../src/kernel/ids.ts';
import { createPorts } from '../../../../../src/store/ports.ts';
import {
  newUser,
  reservation,
  type SettlementChanges,
  settlement,
  store,
} from '../../../../helpers/store/file-fixtures.ts';
import { day, hour, noon } from '../../../../helpers/store/fixtures.ts';
import { pendingUntil } from '../../../../helpers/store/noting.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { creation, uploadSettlement } from '../../../../helpers/store/upload-fixtures.ts';

const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('the queue of removals', (open) => {
  const ports = () => open().ports;
  const queued = async () => (await open().rows('removals')).map(({ id }) => String(id));
  const user = () => newUser(ports(), noon);
  const add = async (userId: UserId, size = 100) => (await store(ports(), userId, noon, { file: { size } })).id;
  const begin = async (userId: UserId) => {
    const upload = creation(userId, { length: undefined });
    await ports().resumables.create(upload);
    return upload;
  };
  const drain = async (now: number) => {
    const taken: string[] = [];
    for (;;) {
      const ids = await ports().removals.take({ now, most: 50 });
      taken.push(...ids);
      if (ids.length === 0) return taken;
    }
  };

  it('whoever deletes what queues its bytes in the same commit, and nothing that stays', async () => {
    const userId = await user();
    const [kept, deleted, removed, emptied, swept] = [
      await add(userId),
      await add(userId),
      await add(userId),
      await add(userId),
      await add(userId),
    ];
    const open1 = await begin(userId);
    const [cancelled, refused, infected] = [await begin(userId), await begin(userId), await begin(userId)];
    const { files, trash, resumables } = ports();
    await files.deleteFile({ userId, id: deleted, now: noon, by });
    for (const id of [removed, emptied, swept])
      await files.deleteFile({ userId, id, now: noon, trashUntil: noon + hour });
    assert.deepEqual(
      (await queued()).filter((id) => [removed, emptied, swept].some((one) => one === id)),
      [],
      'the trash keeps bytes',
    );
    await trash.removeFromTrash({ userId, id: removed, now: noon });
    await trash.emptyTrash({ userId, now: noon, most: 1 });
    while ((await trash.sweepFiles({ now: noon + hour, most: 100 })).length > 0);
    await resumables.cancel({ uploadId: cancelled.id, userId, now: noon });
    await files.settle(uploadSettlement(refused, { quota: { bytes: 1, files: 1 } }));
    const found = { purpose: 'image', size: 7, sha256: 'ab', signature: 'X' };
    await files.refuseInfected({ uploadId: infected.id, userId, now: noon, ...found });
    const now = new Set(await queued());
    for (const id of [deleted, removed, emptied, swept, cancelled.id, refused.id, infected.id])
      assert.ok(now.has(id), id);
    for (const id of [kept, open1.id]) assert.ok(!now.has(id), id);
    const gone = await ports().users.deleteUser({ userId, now: noon });
    assert.deepEqual([gone.fileIds, gone.uploadIds], [[kept], [open1.id]]);
    const after = new Set(await queued());
    for (const id of [kept, open1.id]) assert.ok(after.has(id), id);
    await drain(noon);
  });

  it('a settlement that makes no file queues what was stored for it, and one that makes a file does not', async () => {
    const { files, users } = ports();
    const settle = async (userId: UserId, changes: Parameters<typeof settlement>[1] = {}, keyId?: string) => {
      const reserved = reservation(userId, noon, { keyId });
      await files.reserve(reserved);
      const settled = settlement(reserved, changes);
      return { id: settled.file.id, kind: (await files.settle(settled)).kind };
    };
    const [ann, gone, blocked] = [await user(), await user(), await user()];
    const once = await settle(ann, {}, newId());
    assert.equal(once.kind, 'stored');
    const full = await settle(ann, { quota: { bytes: 1, files: 1 } });
    const keyId = newId();
    const late = reservation(ann, noon, { keyId });
    await files.reserve(late);
    const first = reservation(ann, late.leaseUntil, { keyId });
    await files.reserve(first);
    assert.equal((await files.settle(settlement(first))).kind, 'stored');
    const [known, left] = [settlement(late), settlement(reservation(gone, noon))];
    await users.deleteUser({ userId: gone, now: noon });
    await files.reserve(reservation(blocked, noon));
    await open().query(`update users set blocked_at = ${noon} where id = '${blocked}'`);
    const ended = { ...settlement(reservation(ann, noon)), isResumable: true };
    const refused = [known, left, settlement(reservation(blocked, noon)), ended];
    const kinds = await Promise.all(refused.map(async (settled) => (await files.settle(settled)).kind));
    assert.deepEqual([full.kind, ...kinds], ['full', 'known', 'gone', 'blocked', 'ended']);
    const after = new Map((await open().rows('removals')).map((row) => [row.id, Number(row.due_at)]));
    for (const id of [full.id, ...refused.map(({ file }) => file.id)]) assert.equal(after.get(id), noon + 15_000, id);
    assert.ok(!after.has(once.id));
    await drain(noon + hour);
  });

  it('a file that makes way for an upload is queued with its links gone, and usage and reservation are exact', async () => {
    const userId = await user();
    const [old, young] = [await add(userId, 60), await add(userId, 30)];
    const { files, sharing } = ports();
    const link = {
      id: newId(),
      fileId: old,
      userId,
      expiresAt: noon + day,
      uses: undefined,
      purposes: ['image'],
      now: noon,
    };
    assert.equal(typeof (await sharing.createLink(link)), 'object');
    await sharing.setReaders({ fileId: old, userId, readers: [newUserId()], purposes: ['image'], now: noon });
    for (const [at, id] of [old, young].entries())
      await files.deleteFile({ userId, id, now: noon + at, trashUntil: noon + day });
    const quota = { bytes: 100, files: 9 };
    const wanted = reservation(userId, noon, { bytes: 50, quota });
    assert.deepEqual(await files.reserve(wanted), { kind: 'reserved' });
    assert.deepEqual(await files.usage(userId), { bytes: 30, files: 1 });
    assert.deepEqual(await files.measureReserved({ userId, now: noon }), { bytes: 50, files: 1 });
    assert.deepEqual(await files.measureReserved({ userId, now: wanted.leaseUntil }), { bytes: 0, files: 0 });
    assert.equal(await files.findRecord(old), undefined);
    for (const table of ['file_links', 'file_readers'] as const)
      assert.deepEqual(
        (await open().rows(table)).filter((row) => row.file_id === old),
        [],
        table,
      );
    assert.ok((await queued()).includes(old));
    // The true size is larger than what was reserved: the settlement makes room too.
    assert.deepEqual(await files.settle(settlement(wanted, { file: { size: 80 } })), { kind: 'stored' });
    assert.deepEqual(await files.usage(userId), { bytes: 80, files: 1 });
    assert.ok((await queued()).includes(young));
    await drain(noon);
  });

  it('the trash makes way for an upload of unknown length as it grows, up to the last byte', async () => {
    const userId = await user();
    const thrown = await add(userId, 60);
    const { files, resumables } = ports();
    await files.deleteFile({ userId, id: thrown, now: noon, trashUntil: noon + day });
    const upload = await begin(userId);
    const grow = (received: number) => {
      const parts = [{ id: `${upload.id} part`, firstByte: 0, bytes: received }];
      const { id: uploadId, writer, expiresAt } = upload;
      const quota = { bytes: 100, files: 9 };
      const step = { uploadId, userId, writer, parts, received, length: undefined, quota, expiresAt, now: noon };
      return resumables.advance(step);
    };
    assert.equal(await grow(40), 'advanced');
    assert.deepEqual(await files.usage(userId), { bytes: 60, files: 1 });
    assert.equal(await grow(101), 'full');
    assert.deepEqual(await files.usage(userId), { bytes: 60, files: 1 }, 'for nothing no trash goes');
    assert.equal(await grow(100), 'advanced');
    assert.deepEqual(await files.usage(userId), { bytes: 0, files: 0 });
    assert.ok((await queued()).includes(thrown));
    await drain(noon);
  });

  it('a taken item comes back after a pause unless its end is reported, and uploads once more an hour later', async () => {
    const { removals } = ports();
    await drain(noon + 9 * day);
    const [file, upload, failed] = [newFileId(), newUploadId(), newFileId()];
    await open().query('delete from removals');
    await open().query(
      `insert into removals (id, due_at, tries, looks) values ('${upload}', 0, 0, 2), ('${file}', 0, 0, 1), ('${failed}', 0, 0, 1)`,
    );
    assert.equal(await removals.isDue(noon), true);
    const [one, two] = await Promise.all([
      removals.take({ now: noon, most: 2 }),
      removals.take({ now: noon, most: 2 }),
    ]);
    assert.deepEqual([...one, ...two].toSorted(), [file, upload, failed].toSorted());
    assert.deepEqual([await removals.isDue(noon), await removals.take({ now: noon, most: 9 })], [false, []]);
    await removals.end({ ids: [file, upload, newFileId()], heldSince: noon, now: noon });
    assert.deepEqual(await removals.take({ now: noon + 15_000, most: 9 }), [failed]);
    await removals.end({ ids: [failed, failed], heldSince: noon + 15_000, now: noon });
    assert.deepEqual(await queued(), [upload]);
    assert.deepEqual(await removals.take({ now: noon + hour - 1, most: 9 }), []);
    assert.deepEqual(await removals.take({ now: noon + hour, most: 9 }), [upload]);
    await removals.end({ ids: [upload], heldSince: noon + hour, now: noon + hour });
    assert.deepEqual(await queued(), []);
  });

  it('two that remove the same bytes count as one look, and whoever deletes has the bytes to itself for a while', async () => {
    await open().query('delete from removals');
    const { users, removals } = ports();
    const userId = await user();
    const upload = await begin(userId);
    const picture = await add(userId);
    await users.deleteUser({ userId, now: noon });
    const ids = [upload.id, picture];
    const left = async () => (await open().rows('removals')).map(({ id, looks }) => `${id} ${looks}`).toSorted();
    const each = (looks: number) => ids.map((id) => `${id} ${looks}`).toSorted();
    assert.deepEqual(await left(), each(2));
    assert.deepEqual(await removals.take({ now: noon + 14_999, most: 9 }), []);
    const late = noon + 15_000;
    assert.deepEqual((await removals.take({ now: late, most: 9 })).toSorted(), ids.toSorted());
    await removals.end({ ids, heldSince: late, now: late });
    assert.deepEqual(await left(), each(1));
    await removals.end({ ids, heldSince: noon, now: late + 1 });
    assert.deepEqual(await left(), each(1), 'the second look is still to come');
    assert.deepEqual((await removals.take({ now: late + hour, most: 9 })).toSorted(), ids.toSorted());
    await removals.end({ ids, heldSince: late, now: late + hour });
    assert.deepEqual(await left(), each(1));
    await removals.end({ ids, heldSince: late + hour, now: late + hour });
    assert.deepEqual(await left(), []);
  });

  it('the bytes of a file in the making are due when its time is over, and it can no longer become a file', async () => {
    await open().query('delete from removals');
    const { files, removals } = createPorts(open().store);
    const userId = await user();
    const pending = async () => (await open().rows('pending_files')).map(({ id }) => String(id));
    const before = await pending();
    const news = async () => (await pending()).filter((id) => !before.includes(id)).toSorted();
    const ids = Array.from({ length: 6 }, newFileId);
    const [stored, refused, left, late, unused, unnoted] = ids as [FileId, FileId, FileId, FileId, FileId, FileId];
    const until = noon + hour;
    await removals.note(pendingUntil(until, stored, refused, left, late, unused));
    await removals.note({ ids: [], until, unused: [unused] });
    assert.deepEqual(await news(), [stored, refused, left, late].toSorted());
    assert.deepEqual(await removals.take({ now: until - 1, most: 9 }), [], 'not before its time');
    const settle = async (id: FileId, changes: SettlementChanges = {}) => {
      const reserved = reservation(userId, noon);
      await files.reserve(reserved);
      return (await files.settle(settlement(reserved, { file: { id }, ...changes }))).kind;
    };
    assert.equal(await settle(stored), 'stored');
    assert.equal(await settle(refused, { quota: { bytes: 1, files: 1 } }), 'full');
    assert.deepEqual([await news(), await queued()], [[left, late].toSorted(), [refused]]);
    assert.equal(await settle(unnoted), 'late');
    assert.equal(await removals.isDue(until), true);
    assert.deepEqual((await removals.take({ now: until, most: 9 })).toSorted(), [refused, left, late].toSorted());
    assert.equal(await settle(late), 'late', 'a worker has it');
    await removals.end({ ids: [left, late], heldSince: until, now: until });
    assert.equal(await settle(late), 'late', 'and has removed it');
    assert.deepEqual(await news(), []);
    assert.deepEqual(
      (await removals.take({ now: until + hour, most: 9 })).filter((id) => id === left),
      [left],
    );
    assert.deepEqual((await files.listFiles({ userId, before: undefined, most: 9, now: noon })).length, 1);
    await drain(until + 9 * hour);
  });

  it('the bytes of a note that nobody saw in time go too, a day later, and those of a file that has its record stay', async () => {
    await open().query('delete from removals');
    const { removals } = createPorts(open().store);
    const left = newFileId();
    const stored = await add(await user());
    await removals.note(pendingUntil(noon, left, stored));
    const found = noon + 2 * hour;
    assert.deepEqual(await removals.take({ now: found, most: 9 }), []);
    assert.equal(await removals.isDue(found + day - 1), false);
    assert.deepEqual(await removals.take({ now: found + day, most: 9 }), [left]);
    await drain(found + 9 * day);
  });

  it('a settlement that is committed twice makes one file, and nothing of it is removed', async () => {
    await open().query('delete from removals');
    const { files, resumables, removals } = createPorts(open().store);
    const userId = await user();
    const reserved = reservation(userId, noon, { keyId: newId() });
    const upload = await begin(userId);
    await files.reserve(reserved);
    for (const twice of [settlement(reserved), uploadSettlement(upload)]) {
      await removals.note(pendingUntil(noon + hour, twice.file.id));
      assert.equal((await files.settle(twice)).kind, 'stored');
      const usage = await files.usage(userId);
      assert.deepEqual(await files.settle(twice), { kind: 'stored' });
      assert.deepEqual(await files.usage(userId), usage);
      assert.deepEqual((await queued()).includes(twice.file.id), false);
    }
    assert.equal((await resumables.known([upload.id])).length, 1);
    await drain(noon + day);
  });

  it('an upload in several requests whose file was late waits for another attempt, with its reservation', async () => {
    const { files, resumables, removals } = createPorts(open().store);
    const userId = await user();
    const upload = await begin(userId);
    const parts = [{ id: `${upload.id} part`, firstByte: 0, bytes: 100 }];
    const { id: uploadId, writer, expiresAt, quota } = upload;
    const step = { uploadId, userId, writer, parts, received: 100, length: 100, quota, expiresAt, now: noon };
    assert.equal(await resumables.advance(step), 'advanced');
    const reserved = await files.measureReserved({ userId, now: noon });
    const settled = uploadSettlement(upload, { file: { size: 100 } });
    assert.equal((await files.settle(settled)).kind, 'late');
    assert.deepEqual(await files.measureReserved({ userId, now: noon }), reserved);
    await removals.note(pendingUntil(noon, settled.file.id));
    assert.equal((await files.settle(settled)).kind, 'stored');
  });

  it('an id with a record is taken off the queue, and its bytes stay', async () => {
    await open().query('delete from removals');
    const userId = await user();
    const [file, upload] = [await add(userId), await begin(userId)];
    await open().query(
      `insert into removals (id, due_at, tries, looks) values ('${file}', 0, 0, 1), ('${upload.id}', 0, 0, 2)`,
    );
    assert.deepEqual(await ports().removals.take({ now: noon, most: 9 }), []);
    assert.deepEqual(await queued(), []);
  });
});
