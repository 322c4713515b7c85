// Variants on disk: they are kept while the disk has room for other files.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createVariantFolders } from '../../../src/adapters/disk/variant-folders.ts';
import { newFileId } from '../../../src/files/stored-file.ts';

const mebibyte = 2 ** 20;
const bytes = Buffer.from('variant');

describe('variants on disk', () => {
  for (const [what, freeBytes, totalBytes, isKept] of [
    ['much room', 500 * mebibyte, 1_000 * mebibyte, true],
    ['just more than a twentieth of its size free', 50 * mebibyte + bytes.length, 1_000 * mebibyte, true],
    ['less than a twentieth of its size free', 50 * mebibyte + bytes.length - 1, 1_000 * mebibyte, false],
    ['just more than 1 GiB free', 1024 * mebibyte + bytes.length, 1e15, true],
    ['less than 1 GiB free', 1024 * mebibyte + bytes.length - 1, 1e15, false],
  ] as [string, number, number, boolean][]) {
    it(`a disk with ${what} ${isKept ? 'keeps' : 'does not keep'} a variant`, async (context) => {
      const root = await mkdtemp(join(tmpdir(), 'variants-'));
      context.after(() => rm(root, { recursive: true }));
      const folders = createVariantFolders(root, join(root, 'spool'), async () => ({ freeBytes, totalBytes }));
      const id = newFileId();
      await folders.keep(id, '320x320-1.webp', bytes);
      assert.deepEqual(await folders.read(id, '320x320-1.webp'), isKept ? bytes : undefined);
    });
  }
});
