// Keeping a file that is on the disk already: it is synced before the thread that places files gets it, and holds up no other file there.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import type { PlaceOrder } from '../../../src/adapters/disk/place-files.ts';
import type { DiskSpool } from '../../../src/adapters/disk/spool.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';

describe('a large file that is kept', () => {
  /** Keeps a file with that sync. Returns the steps in their order. */
  async function keep(sync: () => Promise<void>) {
    const steps: string[] = [];
    const orders: PlaceOrder[] = [];
    const blobs = createDiskBlobs(makeFolder(), async (order) => {
      steps.push('placed');
      orders.push(order);
    });
    const spool = (await blobs.spool()) as DiskSpool;
    await spool.write(Buffer.from('bytes'));
    const watched: DiskSpool = {
      ...spool,
      size: spool.size,
      sync: async () => {
        await sync();
        steps.push('synced');
      },
    };
    const failure = await blobs.keep(watched, fileId(1), 'ab'.repeat(32)).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    await spool.discard();
    return { steps, failure, isHeld: orders.map(({ held }) => held !== undefined) };
  }

  it('is synced before it is placed', async () => {
    const kept = await keep(async () => undefined);
    assert.deepEqual(kept, { steps: ['synced', 'placed'], failure: undefined, isHeld: [false] });
  });

  it('is not placed if its sync fails', async () => {
    const kept = await keep(() => Promise.reject(Object.assign(new Error('disk'), { code: 'EIO' })));
    assert.deepEqual(kept, { steps: [], failure: 'STORAGE_UNAVAILABLE', isHeld: [] });
  });
});
