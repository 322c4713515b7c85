// Writing a file that is in memory: exactly its bytes, past the cache of the system or through it, and nothing of an earlier file.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
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

  /** As a file system does that cannot write directly: it makes the file, then refuses. */
  function refusing(code: string) {
    const seen: boolean[] = [];
    const open = async (path: string, flags: number, mode: number) => {
      const isDirect = constants.O_DIRECT !== undefined && (flags & constants.O_DIRECT) !== 0;
      seen.push(isDirect);
      const descriptor = openSync(path, flags, mode);
      if (!isDirect) return descriptor;
      closeSync(descriptor);
      throw Object.assign(new Error('refused'), { code });
    };
    return { seen, open };
  }

  for (const code of ['EINVAL', 'ENOTSUP']) {
    it(`a file system that refuses to open a file for direct writes with ${code} is asked once, and loses no file`, async () => {
      const { seen, open } = refusing(code);
      const writeWhole = createWriteWhole(open);
      const bytes = randomBytes(slotBytes);
      bytes.copy(slot.bytes);
      mkdirSync(join(folder, 'spool'), { recursive: true });
      for (const name of [`${code}-1`, `${code}-2`]) {
        await writeWhole(slot, slotBytes, join(folder, 'spool', name), join(folder, name));
        assert.ok(readFileSync(join(folder, name)).equals(bytes));
      }
      assert.deepEqual(readdirSync(join(folder, 'spool')), []);
      assert.deepEqual(seen, constants.O_DIRECT === undefined ? [false, false] : [true, false, false]);
    });
  }

  it('any other error of the disk is the error of the file, and leaves nothing behind', async () => {
    const { open } = refusing('EIO');
    const writing = createWriteWhole(open)(slot, slotBytes, join(folder, 'spool', 'broken'), join(folder, 'broken'));
    if (constants.O_DIRECT === undefined) await writing;
    else await assert.rejects(writing, { code: 'EIO' });
    assert.deepEqual(readdirSync(join(folder, 'spool')), []);
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
