// Writing a file that is in memory: exactly its bytes, past the cache of the system or through it, and nothing of an earlier file.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createWriteWhole } from '../../../src/adapters/disk/write-whole.ts';
import { giveBack, type Slot, slotBytes, takeSlot } from '../../../src/files/slots.ts';
import { makeFolder } from '../../helpers/blobs.ts';

const kibibyte = 1024;

describe('a file that is whole in memory', () => {
  const folder = makeFolder();
  const slot = takeSlot() as Slot;
  after(() => giveBack(slot));
  let names = 0;

  /** Writes random bytes over those of an earlier file. Returns what the disk has. */
  async function write(size: number, from: Slot = slot) {
    const bytes = randomBytes(size);
    from.bytes.fill('x').set(bytes);
    const path = join(folder, String(names++));
    await createWriteWhole()(from, size, join(folder, 'spool', 'temporary'), path);
    assert.deepEqual(readdirSync(join(folder, 'spool')), []);
    return { bytes, found: readFileSync(path) };
  }

  for (const size of [1, 4096, 255 * kibibyte, 256 * kibibyte, 300_001, slotBytes - 1, slotBytes]) {
    it(`the disk has exactly the ${size} bytes`, async () => {
      const { bytes, found } = await write(size);
      assert.ok(found.equals(bytes));
    });
  }

  it('a file that cannot go past the cache goes through it', async () => {
    // Not at the beginning of a page: most file systems refuse it as those do that cannot write directly at all.
    const { bytes, found } = await write(slotBytes, { ...slot, bytes: slot.bytes.subarray(1) });
    assert.ok(found.equals(bytes));
  });

  it('bytes behind the file are never those of an earlier one', async () => {
    await write(300_001);
    assert.ok(slot.bytes.subarray(300_001, 303_104).every((byte) => byte === 0));
  });

  it('a file that cannot get its name leaves nothing behind', async () => {
    const path = join(folder, 'nowhere', 'file');
    const writing = createWriteWhole()(slot, 10, join(folder, 'spool', 'temporary'), path);
    await assert.rejects(writing, { code: 'ENOENT' });
    assert.deepEqual(readdirSync(join(folder, 'spool')), []);
  });
});
