// A spool that stays in memory while it is small: what is lent stays, what grows goes to a file, and a segment never belongs to two.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createHeldSpool, type HeldSpool } from '../../../src/files/spool/held-spool.ts';
import { segmentBytes } from '../../../src/files/spool/segments.ts';
import type { Spool } from '../../../src/files/spool/spool.ts';
import { memorySpool } from '../../helpers/blobs/memory-files.ts';
import { countSlots, settled } from '../../helpers/uploads/upload-stage.ts';

const inTime = (writing: Promise<void>) => writing;

function stage(open?: () => Promise<Spool>) {
  const calls: string[] = [];
  const openFile = async () => {
    calls.push('open');
    return memorySpool(calls);
  };
  return { calls, spool: createHeldSpool(open ?? openFile, { inTime }) };
}

const contentOf = async ({ spooled }: HeldSpool) => spooled.reader.read(0, spooled.size);

describe('a spool in memory', () => {
  it('a file of up to one segment needs no file on disk, and can be read in pieces', async () => {
    const bytes = randomBytes(segmentBytes);
    const { spool, calls } = stage();
    await spool.write(bytes.subarray(0, 1000));
    await spool.write(bytes.subarray(1000));
    await spool.finish();
    assert.ok(spool.spooled.held !== undefined);
    assert.ok((await contentOf(spool)).equals(bytes));
    assert.deepEqual(await spool.spooled.reader.read(segmentBytes - 3, 10), bytes.subarray(-3));
    await spool.discard();
    assert.deepEqual(calls, []);
  });

  it('one byte more, and the whole file is on disk', async () => {
    const bytes = randomBytes(segmentBytes + 1);
    const { spool, calls } = stage();
    await spool.write(bytes.subarray(0, segmentBytes));
    await spool.write(bytes.subarray(segmentBytes));
    await spool.finish();
    assert.deepEqual([spool.spooled.held, spool.spooled.size], [undefined, segmentBytes + 1]);
    assert.ok((await contentOf(spool)).equals(bytes));
    await spool.discard();
    assert.deepEqual(calls, ['open', 'discard']);
  });

  it('an empty file is on disk, where it can be examined', async () => {
    const { spool, calls } = stage();
    await spool.finish();
    assert.deepEqual([spool.spooled.held, spool.spooled.size, typeof spool.spooled.path], [undefined, 0, 'string']);
    await spool.discard();
    assert.deepEqual(calls, ['open', 'discard']);
  });

  it('a segment that is lent belongs to nobody else until the work has ended, even if the spool is discarded', async () => {
    const before = countSlots();
    const { spool } = stage();
    await spool.write(Buffer.from('mine'));
    const work = Promise.withResolvers<void>();
    const lent = spool.spooled.held?.lend(() => work.promise);
    await spool.discard();
    assert.equal(countSlots(), before - 1);
    work.resolve();
    await lent;
    assert.equal(countSlots(), before);
    await assert.rejects(async () => spool.spooled.reader.read(0, 4));
  });

  it('what a reader got stays what it was after the segment was used again', async () => {
    const { spool } = stage();
    await spool.write(Buffer.from('mine'));
    const got = await contentOf(spool);
    await spool.discard();
    const other = stage().spool;
    await other.write(Buffer.from('else'));
    await other.discard();
    assert.equal(String(got), 'mine');
  });

  it('a file that was made smaller in its segment has its new size', async () => {
    const { spool } = stage();
    await spool.write(Buffer.from('with data'));
    spool.spooled.held?.resize(4);
    assert.deepEqual([spool.spooled.size, String(await contentOf(spool))], [4, 'with']);
    await spool.discard();
  });

  it('a file that opens after the spool was discarded is discarded too', async () => {
    const opening = Promise.withResolvers<Spool>();
    const { spool } = stage(() => opening.promise);
    const writing = spool.write(Buffer.alloc(segmentBytes + 1));
    await spool.discard();
    const calls: string[] = [];
    opening.resolve(memorySpool(calls));
    await assert.rejects(async () => writing, /discarded/);
    await settled();
    assert.deepEqual(calls, ['discard']);
    assert.equal(countSlots(), 32);
  });
});
