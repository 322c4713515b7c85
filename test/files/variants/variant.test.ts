// Variants of a purpose: which sizes and names are right, of which files they are made, and how a kept one is named.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFileId } from '../../../src/files/stored-file.ts';
import {
  areVariants,
  findVariantSource,
  isStoredName,
  parseVariantSize,
  storedNameOf,
  variantFormats,
} from '../../../src/files/variants/variant.ts';
import { fileId, recordOf } from '../../helpers/blobs/memory-files.ts';

describe('the size of a variant', () => {
  for (const [text, expected] of [
    ['320x320', { kind: 'box', width: 320, height: 320 }],
    ['16x4096', { kind: 'box', width: 16, height: 4096 }],
    ['1600', { kind: 'side', side: 1600 }],
    ['16', { kind: 'side', side: 16 }],
    ['4096', { kind: 'side', side: 4096 }],
    ['15', undefined],
    ['4097', undefined],
    ['16x15', undefined],
    ['4097x16', undefined],
    ['016', undefined],
    ['32X32', undefined],
    ['32x', undefined],
    ['x32', undefined],
    ['32x32x32', undefined],
    [' 32', undefined],
    ['32.5', undefined],
    ['-32', undefined],
    ['99999', undefined],
    ['', undefined],
  ] as const) {
    it(`a variant of the size ${JSON.stringify(text)} is ${expected === undefined ? 'refused' : 'accepted'}`, () => {
      assert.deepEqual(parseVariantSize(text), expected);
    });
  }
});

describe('the variants of a purpose', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, '32']));
  for (const [what, value, isRight] of [
    ['nothing', undefined, true],
    ['no variant', {}, true],
    ['two variants', { thumb: '320x320', preview: '1600' }, true],
    ['a name of letters, digits and -', { '2x-thumb': '32' }, true],
    ['eight variants', names(8), true],
    ['nine variants', names(9), false],
    ['a name with capitals', { Thumb: '32' }, false],
    ['a name that begins with -', { '-a': '32' }, false],
    ['a name with _', { a_b: '32' }, false],
    ['an empty name', { '': '32' }, false],
    ['a name of 33 letters', { ['a'.repeat(33)]: '32' }, false],
    ['a size that is a number', { thumb: 320 }, false],
    ['a size that is too small', { thumb: '1x1' }, false],
    ['a list', ['320x320'], false],
    ['a text', '320', false],
    ['null', null, false],
  ] as const) {
    it(`the variants of a purpose are ${isRight ? 'right' : 'wrong'}: ${what}`, () => {
      assert.equal(areVariants(value), isRight);
    });
  }
});

describe('the source of a variant', () => {
  const picture = recordOf(fileId(1), 'abc', { type: 'image/png', width: 100, height: 50, purpose: 'image' });
  const purpose = { variants: { thumb: '32x32' }, maxPixels: 5000 };
  const wanted = { name: 'thumb', format: 'webp' } as const;

  it('a variant is made of a picture whose purpose lists it', () => {
    const expected = { file: picture, variant: { size: '32x32', format: 'webp' }, maxPixels: 5000 };
    assert.deepEqual(findVariantSource(picture, purpose, wanted), expected);
  });

  it('a variant is made of at most fifty megapixels, whatever the purpose allows', () => {
    const { variants } = purpose;
    assert.equal(findVariantSource(picture, { variants }, wanted)?.maxPixels, 50_000_000);
    assert.equal(findVariantSource(picture, { variants, maxPixels: 1e9 }, wanted)?.maxPixels, 50_000_000);
    const large = { ...picture, width: 10_000, height: 5001 };
    assert.equal(findVariantSource(large, { variants, maxPixels: 1e9 }, wanted), undefined);
    assert.ok(findVariantSource({ ...large, height: 5000 }, { variants }, wanted));
  });

  for (const [what, file, itsPurpose, name] of [
    ['of a file without a purpose in force', picture, undefined, 'thumb'],
    ['of a purpose without variants', picture, {}, 'thumb'],
    ['that the purpose does not list', picture, purpose, 'preview'],
    ['with the name of a property that every object has', picture, purpose, 'constructor'],
    ['of a file that is no picture', { ...picture, type: 'video/mp4' }, purpose, 'thumb'],
    ['of a HEIC, which the library does not decode', { ...picture, type: 'image/heic' }, purpose, 'thumb'],
    ['of a HEIF, which the library does not decode', { ...picture, type: 'image/heif' }, purpose, 'thumb'],
    ['of a type that is no longer known', { ...picture, type: 'image/x-old' }, purpose, 'thumb'],
    ['of a picture with too many pixels', { ...picture, height: 51 }, purpose, 'thumb'],
  ] as const) {
    it(`there is no variant ${what}`, () => {
      assert.equal(findVariantSource(file, itsPurpose, { name, format: 'avif' }), undefined);
    });
  }
});

describe('the name of a kept variant', () => {
  it('the name of a kept variant differs by size and format, and is never a file id', () => {
    const variants = ['320x320', '1600', '16x4096'].flatMap((size) =>
      variantFormats.map((format) => ({ size, format })),
    );
    const stored = variants.map(storedNameOf);
    assert.equal(new Set(stored).size, variants.length);
    assert.deepEqual(stored.slice(0, 2), ['320x320-1.webp', '320x320-1.avif']);
    for (const name of stored) assert.deepEqual([isStoredName(name), isFileId(name)], [true, false]);
  });

  it('other names are not those of kept variants', () => {
    for (const name of ['', fileId(1), '320-1.png', '../320-1.webp', '320-1.webp/', '320-1.webp~', 'thumb-1.webp'])
      assert.equal(isStoredName(name), false, name);
  });
});
