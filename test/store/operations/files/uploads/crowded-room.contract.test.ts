// Contract of making room: an upload that needs the room of many files in the trash gets it, and no commit removes many of them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import { createPorts } from '../../../../../src/store/ports.ts';
import type { Store } from '../../../../../src/store/store.ts';
import { newUser, reservation, settlement, store } from '../../../../helpers/store/file-fixtures.ts';
import { day, noon } from '../../../../helpers/store/fixtures.ts';
import { pendingUntil } from '../../../../helpers/store/noting.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { creation, uploadSettlement } from '../../../../helpers/store/upload-fixtures.ts';

/** 450 files of a byte in the trash, in a quota of 450. A commit may remove 200. */
const [files, most] = [450, 200];
const quota = { bytes: files, files: 2000 };

onEveryStore('room that many files in the trash must make', (open) => {
  /** A user with a full trash. `fill` comes after what needs room before it. */
  const stage = async () => {
    const userId = await newUser(open().ports, noon);
    const first = await store(open().ports, userId, noon, { file: { size: 1 } });
    await open().ports.files.deleteFile({ userId, id: first.id, now: noon, trashUntil: noon + day });
    const fill = async () => {
      const [row = assert.fail('no file')] = (await open().rows('files')).filter(({ id }) => id === first.id);
      const columns = Object.keys(row).filter((column) => column !== 'id');
      const more = Array.from({ length: files - 1 }, (_, at) => `'fil_${userId.slice(0, 8)}${at}'`);
      for (const id of more)
        await open().query(
          `insert into files (id, ${columns}) select ${id}, ${columns} from files where id = '${first.id}'`,
        );
      await open().query(`update file_usage set bytes = ${files}, files = ${files} where user_id = '${userId}'`);
    };
    /** The ports, and how many files of the user were left after each commit. */
    const left: number[] = [];
    const count = async () => {
      const found = await open().query(
        `select count(*) as number from files where user_id = '${userId}' and deleted_at is not null`,
      );
      return Number(found[0]?.number);
    };
    const call = (async (...asked: Parameters<Store['call']>) => {
      const outcome = await open().store.call(...asked);
      left.push(await count());
      return outcome;
    }) as Store['call'];
    return { userId, fill, ports: createPorts({ ...open().store, call }), left };
  };
  const areExact = async (userId: UserId, left: readonly number[], stored: number) => {
    assert.deepEqual(left, [files - most, files - 2 * most, 0]);
    const { bytes } = await open().ports.files.usage(userId);
    assert.equal(bytes, stored);
    const counted = await open().query(
      `select count(*) as number from audit_events where kind = 'file.deleted' and user_id = '${userId}'`,
    );
    assert.equal(Number(counted[0]?.number), files, 'apps are notified of each one once');
  };

  it('a reservation gets it in several commits', async () => {
    const { userId, fill, ports, left } = await stage();
    await fill();
    const wanted = reservation(userId, noon, { bytes: files, quota });
    assert.deepEqual(await ports.files.reserve(wanted), { kind: 'reserved' });
    await areExact(userId, left, 0);
    assert.deepEqual(await ports.files.measureReserved({ userId, now: noon }), { bytes: files, files: 1 });
  });

  it('a settlement gets it in several commits, and keeps its reservation until the last one', async () => {
    const { userId, fill, ports, left } = await stage();
    const wanted = reservation(userId, noon, { bytes: 0, quota, keyId: 'key of a settlement' });
    await open().ports.files.reserve(wanted);
    await fill();
    const settled = settlement(wanted, { file: { size: files } });
    await open().ports.removals.note(pendingUntil(noon, settled.file.id));
    const { call } = open().store;
    assert.deepEqual(await call('files.settle', settled), { kind: 'crowded' });
    assert.deepEqual(await ports.files.measureReserved({ userId, now: noon }), { bytes: 0, files: 1 });
    left.splice(0);
    assert.deepEqual(await ports.files.settle(settled), { kind: 'stored' });
    await areExact(userId, [files - most, ...left], files);
    assert.deepEqual(await ports.files.measureReserved({ userId, now: noon }), { bytes: 0, files: 0 });
  });

  it('an upload in several requests gets it in several commits when it is created, when it grows and when it is stored', async () => {
    const created = await stage();
    await created.fill();
    const known = creation(created.userId, { length: files, quota });
    assert.deepEqual(await created.ports.resumables.create(known), { kind: 'created' });
    await areExact(created.userId, created.left, 0);

    const grown = await stage();
    const { id: uploadId, writer, expiresAt, ...upload } = creation(grown.userId, { length: undefined, quota });
    await open().ports.resumables.create({ ...upload, id: uploadId, writer, expiresAt });
    await grown.fill();
    const parts = [{ id: `${uploadId} part`, firstByte: 0, bytes: files }];
    const step = { uploadId, userId: grown.userId, writer, parts, received: files, length: undefined };
    assert.equal(await grown.ports.resumables.advance({ ...step, quota, expiresAt, now: noon }), 'advanced');
    await areExact(grown.userId, grown.left, 0);

    const stored = await stage();
    const empty = creation(stored.userId, { length: 0, quota });
    await open().ports.resumables.create(empty);
    await stored.fill();
    const settled = uploadSettlement(empty, { file: { size: files } });
    await open().ports.removals.note(pendingUntil(noon, settled.file.id));
    assert.deepEqual(await stored.ports.files.settle(settled), { kind: 'stored' });
    await areExact(stored.userId, stored.left, files);
  });

  it('an upload that does not fit anyway removes none of them', async () => {
    const { userId, fill, ports, left } = await stage();
    await fill();
    const wanted = reservation(userId, noon, { bytes: files + 1, quota });
    assert.deepEqual(await ports.files.reserve(wanted), { kind: 'full' });
    assert.deepEqual(left, [files]);
  });
});
