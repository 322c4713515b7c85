// Variants in a list of S3: one entry for each file, merged with the blobs in the order of ids.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addStrays, groupVariants, variantKey, variantKeys } from '../../../src/adapters/s3/s3-variants.ts';
import { each } from '../../backup/stage/small-backup.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { asFileId } from '../../helpers/people/ids.ts';

const object = (number: number, name = '16-1.webp', modifiedAt = number) => ({
  key: `variants/${fileId(number)}/${name}`,
  size: 9,
  modifiedAt,
});
const listed = (number: number, size: number) => ({ id: fileId(number), size, modifiedAt: number });
const group = (objects: { key: string; size: number; modifiedAt: number }[], after = '') =>
  Array.fromAsync(groupVariants(each(objects), after));

describe('variants in a list of S3', () => {
  it('the keys of the variants of a file begin alike, and other names are refused', () => {
    assert.equal(variantKey(fileId(1), '16-1.webp'), `variants/${fileId(1)}/16-1.webp`);
    assert.ok(variantKey(fileId(1), '16-1.webp').startsWith(variantKeys(fileId(1))));
    assert.throws(() => variantKey(asFileId('x'), '16-1.webp'));
    assert.throws(() => variantKey(fileId(1), '../x'));
  });

  it('the variants of a file are one entry', async () => {
    const found = await group([object(1, '16-1.avif', 5), object(1), object(2)]);
    assert.deepEqual(found, [
      { id: fileId(1), modifiedAt: 5 },
      { id: fileId(2), modifiedAt: 2 },
    ]);
  });

  it('objects of others and those up to the given id are left out', async () => {
    const other = { ...object(1), key: 'variants/readme.txt' };
    assert.deepEqual(await group([object(1), other, object(2)], fileId(1)), [{ id: fileId(2), modifiedAt: 2 }]);
    for (const name of ['..', `../${fileId(2)}/16-1.webp`, 'x/16-1.webp', ''])
      assert.deepEqual(await group([object(1, name)]), [], name);
  });

  it('a list out of order fails', async () => {
    await assert.rejects(group([object(2), object(1)]), { code: 'STORAGE_UNAVAILABLE' });
    await assert.rejects(group([object(1)], fileId(2)), { code: 'STORAGE_UNAVAILABLE' });
  });

  for (const [blobs, variants] of [
    [[], []],
    [[1, 2], []],
    [[], [1, 2]],
    [
      [1, 3, 5],
      [2, 3, 6],
    ],
    [
      [3, 4],
      [1, 2, 4, 5],
    ],
  ] as const) {
    it(`ids of variants alone are added to a list: blobs ${blobs.join()}, variants ${variants.join()}`, async () => {
      const source = each(variants.map((number) => ({ id: fileId(number), modifiedAt: number })));
      const all = [...new Set<number>([...blobs, ...variants])].toSorted((left, right) => left - right);
      const isBlob = new Set<number>(blobs);
      assert.deepEqual(
        await Array.fromAsync(addStrays(each(blobs.map((number) => listed(number, 7))), source)),
        all.map((number) => listed(number, isBlob.has(number) ? 7 : 0)),
      );
    });
  }
});
