// The refusal of a file by its type names a purpose that would accept the file, if there is one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInPurposes } from '../../../src/files/purpose.ts';
import { nameOtherPurpose } from '../../../src/files/uploads/name-other-purpose.ts';
import { Failure } from '../../../src/kernel/failure.ts';

const mebibyte = 2 ** 20;
const asked = { purpose: { readableBy: 'owner' as const }, size: mebibyte };
const refusal = (type: string, pixels: { width?: number; height?: number } = {}) =>
  new Failure('FILE_TYPE_NOT_ALLOWED', { list: 'X', type: 'Y', whole: { type, ...pixels } });

function detailOf(error: unknown): unknown {
  return error instanceof Failure ? error.detail : assert.fail('not a failure');
}

describe('the refusal of a file by its type', () => {
  for (const [type, size, purpose] of [
    ['video/mp4', mebibyte, 'video'],
    ['audio/ogg', mebibyte, 'audio'],
    ['application/pdf', mebibyte, 'document'],
    ['application/pdf', 30 * mebibyte, 'attachment'],
    ['image/jpeg', mebibyte, 'image'],
    ['image/jpeg', 16 * mebibyte, 'attachment'],
  ] as const) {
    it(`the refusal of ${type} with ${size} bytes names the purpose ${purpose}`, () => {
      const failure = nameOtherPurpose(refusal(type), builtInPurposes, { ...asked, size });
      assert.deepEqual(detailOf(failure), { list: 'X', type: 'Y', purpose });
    });
  }

  it('the refusal names a purpose with the same readers, and one with others only if there is no such purpose', () => {
    const [avatar, ...others] = builtInPurposes;
    const named = (readableBy: 'owner' | 'signed-in', purposes: typeof builtInPurposes) =>
      detailOf(nameOtherPurpose(refusal('image/png'), purposes, { ...asked, purpose: { readableBy } }));
    const detail = { list: 'X', type: 'Y' };
    assert.deepEqual(named('signed-in', builtInPurposes), { ...detail, purpose: 'avatar' });
    assert.deepEqual(named('owner', builtInPurposes), { ...detail, purpose: 'image' });
    assert.deepEqual(named('owner', [avatar ?? assert.fail()]), { ...detail, purpose: 'avatar' });
    assert.deepEqual(named('signed-in', others), { ...detail, purpose: 'image' });
  });

  it('the refusal names no purpose if all are too small for the file', () => {
    const failure = nameOtherPurpose(refusal('application/zip'), builtInPurposes, { ...asked, size: 51 * mebibyte });
    assert.deepEqual(detailOf(failure), { list: 'X', type: 'Y' });
  });

  it('the refusal names no purpose that takes fewer pixels than the picture has', () => {
    const named = (width: number, height: number, readableBy: 'owner' | 'signed-in') =>
      detailOf(
        nameOtherPurpose(refusal('image/png', { width, height }), builtInPurposes, {
          ...asked,
          purpose: { readableBy },
        }),
      );
    assert.deepEqual(named(9000, 5000, 'signed-in'), { list: 'X', type: 'Y', purpose: 'image' });
    assert.deepEqual(named(9000, 10, 'signed-in'), { list: 'X', type: 'Y', purpose: 'image' });
    assert.deepEqual(named(9000, 6000, 'owner'), { list: 'X', type: 'Y' });
  });

  it('a refusal of a file that is not whole stays as it is', () => {
    for (const error of [
      new Failure('FILE_TYPE_NOT_ALLOWED', { list: 'PNG', rule: 'macros' }),
      new Failure('FILE_TYPE_NOT_ALLOWED', { list: 'PNG', type: 'OGG' }),
      new Failure('FILE_CORRUPT'),
      new Error('x'),
    ])
      assert.equal(nameOtherPurpose(error, builtInPurposes, asked), error);
    assert.deepEqual(detailOf(nameOtherPurpose(refusal('text/unknown'), builtInPurposes, asked)), {
      list: 'X',
      type: 'Y',
    });
  });
});
