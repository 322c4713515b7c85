// Proves that the uploads of one user hold only a bounded part of the disk, and leave space for others.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSpoolBudget, type SpoolBudget, type SpoolBudgetLimits } from '../../../src/files/spool/spool-budget.ts';
import { takeParts } from '../../../src/files/uploads/take-parts.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { asUserId } from '../../helpers/people/ids.ts';

const gibibyte = 2 ** 30;
const full = { code: 'FILE_QUOTA_EXCEEDED' };

describe('the disk space for uploads of one user', () => {
  it('the uploads of one user may hold the quota plus a gibibyte together', () => {
    const room = createSpoolBudget(gibibyte);
    const [first, second, other] = [
      room.enter(asUserId('ann')),
      room.enter(asUserId('ann')),
      room.enter(asUserId('bob')),
    ];
    first.take(gibibyte);
    second.take(gibibyte);
    assert.throws(() => first.take(1), full);
    assert.throws(() => second.take(1), full);
    assert.throws(() => room.enter(asUserId('ann')).take(1), full);
    other.take(2 * gibibyte);
  });

  it('the space of an upload is released once, however it ended', () => {
    const room = createSpoolBudget(0);
    const [first, second] = [room.enter(asUserId('ann')), room.enter(asUserId('ann'))];
    first.take(gibibyte - 1);
    second.take(1);
    first.leave();
    first.leave();
    assert.throws(() => second.take(gibibyte), full);
    second.take(gibibyte - 1);
    second.leave();
    room.enter(asUserId('ann')).take(gibibyte);
  });

  it('space is reserved before a byte is written', async () => {
    const room = createSpoolBudget(0);
    room.enter(asUserId('ann')).take(gibibyte);
    const written: Buffer[] = [];
    const spool = { write: async (chunk: Buffer) => void written.push(chunk), finish: async () => undefined };
    const bytes = async function* () {
      yield Buffer.from('abc');
    };
    const parts = async function* () {
      yield { kind: 'file', name: undefined, type: undefined, bytes: bytes() } as const;
    };
    await assert.rejects(takeParts(parts(), spool, room.enter(asUserId('ann')), 1024), full);
    assert.deepEqual(written, []);
  });
});

const noRoom = { code: 'STORAGE_UNAVAILABLE', detail: { retryAfterSeconds: 30 } };

describe('the disk space for all uploads together', () => {
  const mebibyte = 2 ** 20;
  const open = (free: number, changes: Partial<SpoolBudgetLimits> = {}) => {
    const disk = { free, asked: 0, now: 0 };
    const room = createSpoolBudget(2 * gibibyte, {
      freeBytes: async () => {
        disk.asked += 1;
        return disk.free;
      },
      mostBytes: Number.POSITIVE_INFINITY,
      processes: 1,
      largestBytes: 200 * mebibyte,
      now: () => disk.now,
      ...changes,
    });
    return { room, disk };
  };
  /** Enough accounts that none of them has more than a quarter. */
  const fill = (room: SpoolBudget, bytes: number, users = 8) => {
    for (let user = 0; user < users; user++) room.enter(asUserId(`user ${user}`)).take(bytes / users);
  };

  it('all uploads together may hold half of the free space', async () => {
    const { room } = open(8 * gibibyte);
    await room.look();
    fill(room, 8 * gibibyte);
    assert.throws(() => room.enter(asUserId('one more')).take(1), noRoom);
  });

  it('all uploads together may hold what the setting says, if that is less: three accounts do not fill 8 GiB', async () => {
    const { room } = open(100 * gibibyte, { mostBytes: 6 * gibibyte });
    await room.look();
    let taken = 0;
    for (const user of ['ann', 'bob', 'cid']) {
      const place = room.enter(asUserId(user));
      try {
        for (; ; taken += mebibyte) place.take(mebibyte);
      } catch (error) {
        assert.equal((error as Failure).code, 'STORAGE_UNAVAILABLE');
      }
    }
    assert.equal(taken, 4.5 * gibibyte);
    room.enter(asUserId('dan')).take(gibibyte);
  });

  it('the space for uploads is shared by the processes on one disk', async () => {
    const { room } = open(8 * gibibyte, { processes: 4 });
    await room.look();
    fill(room, 2 * gibibyte);
    assert.throws(() => room.enter(asUserId('one more')).take(1), noRoom);
  });

  it('one user may hold a quarter of the space for uploads, and at least one largest upload', async () => {
    const { room } = open(8 * gibibyte);
    await room.look();
    const place = room.enter(asUserId('ann'));
    place.take(2 * gibibyte);
    assert.throws(() => place.take(1), noRoom);
    assert.throws(() => room.enter(asUserId('ann'), 1), noRoom);
    const small = open(300 * mebibyte).room;
    await small.look();
    small.enter(asUserId('ann')).take(200 * mebibyte);
    assert.throws(() => small.enter(asUserId('ann')).take(1), noRoom);
    small.enter(asUserId('bob')).take(100 * mebibyte);
  });

  it('an upload holds its declared length from the start, and once', async () => {
    const { room } = open(gibibyte);
    await room.look();
    const place = room.enter(asUserId('ann'), 200 * mebibyte);
    place.take(200 * mebibyte);
    room.enter(asUserId('bob'), 250 * mebibyte);
    room.enter(asUserId('cid'), 250 * mebibyte);
    assert.throws(() => room.enter(asUserId('dan'), 400 * mebibyte), noRoom);
    room.enter(asUserId('dan'), 250 * mebibyte);
    assert.throws(() => room.enter(asUserId('eve'), 100 * mebibyte), noRoom);
    place.leave();
    place.leave();
    room.enter(asUserId('eve'), 100 * mebibyte);
  });

  it('a refused upload releases nothing that it did not hold', async () => {
    const { room } = open(gibibyte);
    await room.look();
    for (let round = 0; round < 10; round++) assert.throws(() => room.enter(asUserId('ann'), 2 * gibibyte), noRoom);
    fill(room, gibibyte);
    assert.throws(() => room.enter(asUserId('one more')).take(1), noRoom);
  });

  it('the free space is read once a second and followed', async () => {
    const { room, disk } = open(gibibyte);
    await room.look();
    await room.look();
    fill(room, gibibyte);
    assert.equal(disk.asked, 1);
    disk.free = 2 * gibibyte;
    disk.now = 1000;
    await room.look();
    assert.equal(disk.asked, 2);
    room.enter(asUserId('one more')).take(256 * mebibyte);
  });

  it('uploads of some megabytes pass on a disk that is almost full or cannot be queried', async () => {
    for (const freeBytes of [async () => 0, () => Promise.reject(new Error('EIO'))]) {
      const { room } = open(0, { freeBytes });
      await room.look();
      room.enter(asUserId('ann')).take(64 * mebibyte);
    }
  });
  it('an upload that has reserved its bytes keeps them when the disk becomes fuller, and others may still begin', async () => {
    const { room, disk } = open(gibibyte);
    await room.look();
    const place = room.enter(asUserId('ann'), 200 * mebibyte);
    disk.free = 0;
    disk.now = 1000;
    await room.look();
    place.take(200 * mebibyte);
    const late = room.enter(asUserId('bob'));
    assert.throws(() => late.take(1), noRoom);
  });

  it('before the disk has answered, the limit is that of the setting, shared by the processes', () => {
    const silent = () => new Promise<number>(() => undefined);
    const { room } = open(0, { freeBytes: silent, mostBytes: 8 * gibibyte, processes: 4, largestBytes: 3 * gibibyte });
    const place = room.enter(asUserId('ann'));
    place.take(2 * gibibyte);
    assert.throws(() => place.take(1), noRoom);
  });

  it('the last limit holds while the disk cannot be queried', async () => {
    const freeBytes = () => Promise.reject(new Error('EIO'));
    const { room } = open(0, { freeBytes, mostBytes: 2 * gibibyte, largestBytes: 3 * gibibyte });
    await room.look();
    const place = room.enter(asUserId('ann'));
    place.take(2 * gibibyte);
    assert.throws(() => place.take(1), noRoom);
  });

  it('a disk that answers after a moment is believed', async () => {
    const freeBytes = () => new Promise<number>((resolve) => void setTimeout(() => resolve(100 * mebibyte), 5));
    const { room } = open(0, { freeBytes });
    await room.look();
    const place = room.enter(asUserId('ann'));
    place.take(100 * mebibyte);
    assert.throws(
      () => place.take(1),
      ({ cause }: Failure) => {
        return (cause as Error).message === 'uploads under way hold as much of the disk as they may';
      },
    );
  });

  it('without limits of the disk nothing is queried', async () => {
    const room = createSpoolBudget(0);
    await room.look();
    room.enter(asUserId('ann')).take(gibibyte);
  });
});
