// Writing a file that is in memory: exactly its bytes, past the cache of the system or through it, and nothing of an earlier file.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createWriteHeld } from '../../../src/adapters/disk/write-held.ts';
import { giveBack, type Segment, segmentBytes, takeSegment } from '../../../src/files/spool/segments.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';

const kibibyte = 1024;

describe('a file that is whole in memory', () => {
  const folder = makeFolder();
  const segment = takeSegment() as Segment;
  after(() => giveBack(segment));
  let names = 0;

  /** Writes random bytes over those of an earlier file. Returns what the disk has. */
  function write(size: number, from = segment.bytes, writeHeld = createWriteHeld()) {
    const bytes = randomBytes(size);
    from.fill('x').set(bytes);
    const path = join(folder, 'spool', String(names++));
    closeSync(writeHeld(from, size, path));
    return { bytes, found: readFileSync(path) };
  }

  for (const size of [1, 4096, 255 * kibibyte, 256 * kibibyte, 300_001, segmentBytes - 1, segmentBytes]) {
    it(`the disk has exactly the ${size} bytes`, () => {
      const { bytes, found } = write(size);
      assert.ok(found.equals(bytes));
    });
  }

  it('a file that cannot go past the cache goes through it', () => {
    // Not at the beginning of a page: most file systems refuse it as those do that cannot write directly at all.
    const { bytes, found } = write(segmentBytes, segment.bytes.subarray(1));
    assert.ok(found.equals(bytes));
  });

  /** As a file system does that cannot write directly: it makes the file, then refuses. */
  function refusing(code: string) {
    const seen: boolean[] = [];
    const open = (path: string, flags: number, mode: number) => {
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
    it(`a file system that refuses to open a file for direct writes with ${code} is asked once, and loses no file`, () => {
      const { seen, open } = refusing(code);
      const writeHeld = createWriteHeld(open);
      for (let round = 0; round < 2; round++) {
        const { bytes, found } = write(segmentBytes, segment.bytes, writeHeld);
        assert.ok(found.equals(bytes));
      }
      assert.deepEqual(seen, constants.O_DIRECT === undefined ? [false, false] : [true, false, false]);
    });
  }

  it('any other error of the disk is the error of the file, and leaves nothing behind', () => {
    const { open } = refusing('EIO');
    const path = join(folder, 'spool', 'broken');
    const writing = () => createWriteHeld(open)(segment.bytes, segmentBytes, path);
    if (constants.O_DIRECT === undefined) closeSync(writing());
    else {
      assert.throws(writing, { code: 'EIO' });
      assert.ok(!existsSync(path));
    }
  });

  it('bytes behind the file are never those of an earlier one', () => {
    write(300_001);
    assert.ok(segment.bytes.subarray(300_001, 303_104).every((byte) => byte === 0));
  });
});
