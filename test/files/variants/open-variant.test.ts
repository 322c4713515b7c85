// Finding a variant of an opened file, and the one error for everything that is missing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Purpose } from '../../../src/files/purpose.ts';
import { openVariant } from '../../../src/files/variants/open-variant.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { fileId, recordOf } from '../../helpers/blobs/memory-files.ts';

const own: Purpose = {
  name: 'own',
  types: ['image/png'],
  maxBytes: 9,
  readableBy: 'owner',
  served: 'attachment',
  variants: { thumb: '32' },
};
const picture = recordOf(fileId(1), 'own', { type: 'image/png', width: 9, height: 9, purpose: 'own' });
const bytes = Buffer.from('made');
const callers: string[] = [];
const deps = (made: Buffer | undefined) => ({
  purposes: [own],
  variants: {
    get: async (_: unknown, caller: string) => {
      callers.push(caller);
      return made;
    },
  },
});
const wish = { file: picture, name: 'thumb', format: 'webp' as const, caller: 'ben' };
const isNotFound = (error: unknown) => error instanceof Failure && error.code === 'FILE_NOT_FOUND';

describe('opening a variant', () => {
  it('whoever opened the file gets the variant in their turn', async () => {
    const opened = openVariant(deps(bytes), wish);
    assert.deepEqual(opened.variant, { size: '32', format: 'webp' });
    assert.equal(await opened.read(new AbortController().signal), bytes);
    assert.deepEqual(callers, ['ben']);
  });

  for (const [what, changes] of [
    ['an unknown name', { name: 'other' }],
    ['a file that is no picture', { file: recordOf(fileId(3), 'text', { purpose: 'own' }) }],
    ['a file whose purpose is gone', { file: { ...picture, purpose: 'former' } }],
  ] as const) {
    it(`the variant of ${what} is not found`, () => {
      assert.throws(() => openVariant(deps(bytes), { ...wish, ...changes }), isNotFound);
    });
  }

  it('a variant that cannot be made is not found', async () => {
    const opened = openVariant(deps(undefined), wish);
    await assert.rejects(opened.read(new AbortController().signal), isNotFound);
  });
});
