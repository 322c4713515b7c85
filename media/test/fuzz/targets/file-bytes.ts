// A file in memory that checks every read of a proof: whole numbers inside the file, and a bounded number of them.
import assert from 'node:assert/strict';
import type { FileBytes } from '../../../src/media-type.ts';

const longestRead = 2 ** 20;
/** A structure takes a few reads per entry, and an entry has a few bytes. */
const mostReads = (size: number) => 400 + 2 * size;

export function checkedFile(bytes: Buffer): FileBytes {
  let reads = 0;
  return {
    size: bytes.length,
    read: (position, length) => {
      reads += 1;
      assert.ok(Number.isSafeInteger(position) && position >= 0, `read at ${position}`);
      assert.ok(Number.isSafeInteger(length) && length >= 0 && length <= longestRead, `read of ${length} bytes`);
      assert.ok(reads <= mostReads(bytes.length), `${reads} reads of a file of ${bytes.length} bytes`);
      return bytes.subarray(position, position + length);
    },
  };
}
