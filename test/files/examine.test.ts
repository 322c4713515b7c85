// What an upload is refused for after its type is proved, and in which order the checks answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examine } from '../../src/files/examine.ts';
import type { Question } from '../../src/files/examiner.ts';
import type { Purpose } from '../../src/files/purpose.ts';
import type { FileBytes } from '../../src/media/media-type.ts';
import { pngFile, textFile } from '../helpers/sample-files.ts';

const purpose: Purpose = {
  name: 'any',
  types: ['image/png', 'image/jpeg', 'text/plain'],
  maxBytes: 1000,
  readableBy: 'owner',
  served: 'inline',
};

function fileOf(bytes: Buffer): FileBytes {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) };
}

function ask(bytes: Buffer, limits: Partial<Purpose> = {}, question: Partial<Question> = {}) {
  const asked = { name: 'a', declaredType: undefined, digest: undefined, needsFingerprint: false, ...question };
  return examine(fileOf(bytes), { ...asked, purpose: { ...purpose, ...limits } });
}

const picture = pngFile(30, 20);
const cut = picture.subarray(0, -4);
const unknown = Buffer.from([0, 1, 2, 3]);

describe('examining a file', () => {
  it('a picture of an allowed type is taken with its type, name and size in pixels', () => {
    const found = ask(picture, {}, { name: 'dir/photo', declaredType: 'image/x-png' });
    assert.deepEqual(found, { type: 'image/png', name: 'photo.png', width: 30, height: 20 });
  });

  it('a text is taken as the type that was declared, and has no pixels', () => {
    const found = ask(textFile, { types: ['text/csv'], maxPixels: 1, maxSide: 1 }, { declaredType: 'text/csv' });
    assert.deepEqual(found, { type: 'text/csv', name: 'a.csv', width: undefined, height: undefined });
  });

  const list = { list: 'PNG, JPG, TXT' };
  for (const [what, bytes, limits, declaredType, code, detail] of [
    ['bytes of no known type', unknown, {}, undefined, 'FILE_TYPE_NOT_ALLOWED', list],
    ['bytes of no known type, declared as an unknown one', unknown, {}, 'image/heic', 'FILE_TYPE_NOT_ALLOWED', list],
    ['bytes of no known type, declared as a known one', unknown, {}, 'image/gif', 'FILE_TYPE_MISMATCH', {}],
    ['a picture declared as another type', picture, {}, 'image/jpeg', 'FILE_TYPE_MISMATCH', {}],
    [
      'a mismatch before a type that is not allowed',
      picture,
      { types: ['image/gif'] },
      'image/gif',
      'FILE_TYPE_MISMATCH',
      {},
    ],
    [
      'a type that the purpose does not allow',
      picture,
      { types: ['image/gif', 'audio/ogg'] },
      undefined,
      'FILE_TYPE_NOT_ALLOWED',
      { list: 'GIF, OGG' },
    ],
    ['a text whose declared type is not allowed', textFile, {}, 'text/csv', 'FILE_TYPE_NOT_ALLOWED', list],
    ['a mismatch before a damage', cut, {}, 'image/jpeg', 'FILE_TYPE_MISMATCH', {}],
    [
      'a type that is not allowed before a damage',
      cut,
      { types: ['text/plain'] },
      undefined,
      'FILE_TYPE_NOT_ALLOWED',
      { list: 'TXT' },
    ],
    ['a damage', cut, { maxPixels: 1 }, undefined, 'FILE_CORRUPT', {}],
  ] as const) {
    it(`a file is refused: ${what}`, () => {
      assert.throws(() => ask(bytes, limits, { declaredType }), { code, detail });
    });
  }

  it('the log gets the type and the reason of a damage', () => {
    assert.throws(
      () => ask(cut),
      ({ cause }: Error) => /^image\/png: \S/.test(String(cause)),
    );
  });

  const megapixel = 1e6;
  for (const [width, height, limits, limit] of [
    [30, 20, { maxPixels: 600 }, undefined],
    [30, 20, { maxPixels: 599 }, '0 MP'],
    [30, 20, { maxSide: 30 }, undefined],
    [30, 20, { maxSide: 29 }, '29 px'],
    [20, 30, { maxSide: 29 }, '29 px'],
    [30, 20, { maxPixels: 2 * megapixel, maxSide: 29 }, '2 MP, 29 px'],
    [30, 20, { maxPixels: 599, maxSide: 40 }, '0 MP, 40 px'],
    [30, 20, { maxPixels: 600, maxSide: 30 }, undefined],
    [30, 20, {}, undefined],
    [1300, 1200, { maxPixels: 1.55 * megapixel }, '2 MP'],
  ] as const) {
    it(`a picture of ${width} × ${height} is ${limit ?? 'taken'} for ${JSON.stringify(limits)}`, () => {
      const examined = () => ask(pngFile(width, height), limits);
      if (limit === undefined) assert.equal(examined().width, width);
      else assert.throws(examined, { code: 'FILE_IMAGE_TOO_LARGE', detail: { limit } });
    });
  }
});
