// Proves that one person's uploads under way hold no more of the disk than a bound, and leave the room of others alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Spool } from '../../src/files/blob-store.ts';
import { createSpoolRoom } from '../../src/files/spool-room.ts';
import { takeParts } from '../../src/files/take-parts.ts';

const gibibyte = 2 ** 30;
const full = { code: 'FILE_QUOTA_EXCEEDED' };

describe('the room for uploads under way', () => {
  it('is the quota and a gibibyte for each person, over all of their uploads', () => {
    const room = createSpoolRoom(gibibyte);
    const [first, second, other] = [room.enter('ann'), room.enter('ann'), room.enter('bob')];
    first.take(gibibyte);
    second.take(gibibyte);
    assert.throws(() => first.take(1), full);
    assert.throws(() => second.take(1), full);
    assert.throws(() => room.enter('ann').take(1), full);
    other.take(2 * gibibyte);
  });

  it('is free again when an upload ends, once, however it ended', () => {
    const room = createSpoolRoom(0);
    const [first, second] = [room.enter('ann'), room.enter('ann')];
    first.take(gibibyte - 1);
    second.take(1);
    first.leave();
    first.leave();
    assert.throws(() => second.take(gibibyte), full);
    second.take(gibibyte - 1);
    second.leave();
    room.enter('ann').take(gibibyte);
  });

  it('is asked for before a byte is written', async () => {
    const room = createSpoolRoom(0);
    room.enter('ann').take(gibibyte);
    const written: Buffer[] = [];
    const spool = { size: 0, write: async (chunk: Buffer) => void written.push(chunk) } as unknown as Spool;
    const bytes = async function* () {
      yield Buffer.from('abc');
    };
    const parts = async function* () {
      yield { kind: 'file', name: undefined, type: undefined, bytes: bytes() } as const;
    };
    await assert.rejects(takeParts(parts(), spool, room.enter('ann'), 1024), full);
    assert.deepEqual(written, []);
  });
});
