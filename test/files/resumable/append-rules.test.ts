// The rules of the bytes of one request of an upload, as a table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPassing, planAppend, withOffset } from '../../../src/files/resumable/append-rules.ts';
import { Failure } from '../../../src/kernel/failure.ts';

describe('the plan of an append', () => {
  const known = { received: 3, length: undefined, maxBytes: 10 };
  const said = { length: undefined, bodyLength: undefined, isComplete: false };

  for (const [what, state, request, length, bytes, code] of [
    ['an unknown length', {}, {}, undefined, 7, 'FILE_TOO_LARGE'],
    ['a known length', { length: 8 }, {}, 8, 5, 'REQUEST_INVALID'],
    ['a length that it tells', {}, { length: 8 }, 8, 5, 'REQUEST_INVALID'],
    ['the end of a body of known length', {}, { isComplete: true, bodyLength: 4 }, 7, 4, 'REQUEST_INVALID'],
    ['the end of a body of unknown length', {}, { isComplete: true }, undefined, 7, 'FILE_TOO_LARGE'],
    ['a body that is not the end', {}, { bodyLength: 4 }, undefined, 7, 'FILE_TOO_LARGE'],
    ['the largest file', { length: 10 }, { bodyLength: 7, isComplete: true }, 10, 7, 'REQUEST_INVALID'],
    ['the end, without a byte', { length: 3 }, { bodyLength: 0, isComplete: true }, 3, 0, 'REQUEST_INVALID'],
  ] as const) {
    it(`an append with ${what} may bring ${bytes} bytes`, () => {
      const plan = planAppend({ ...known, ...state }, { ...said, ...request });
      assert.ok('bound' in plan);
      assert.deepEqual([plan.length, plan.bound.bytes, plan.bound.refusal.code], [length, bytes, code]);
    });
  }

  for (const [what, state, request, code, endsUpload] of [
    ['another length', { length: 8 }, { length: 9 }, 'REQUEST_INVALID', false],
    ['a length below what was received', {}, { length: 2 }, 'REQUEST_INVALID', false],
    ['a length above the limit', {}, { length: 11 }, 'FILE_TOO_LARGE', true],
    ['a body above the limit', {}, { bodyLength: 8 }, 'FILE_TOO_LARGE', true],
    ['a last body above the limit', {}, { bodyLength: 8, isComplete: true }, 'FILE_TOO_LARGE', true],
    ['more bytes than the length', { length: 8 }, { bodyLength: 6 }, 'REQUEST_INVALID', true],
    ['an end before the length', { length: 8 }, { bodyLength: 4, isComplete: true }, 'REQUEST_INVALID', false],
  ] as const) {
    it(`an append with ${what} is ${code} and ${endsUpload ? 'ends the upload' : 'loses nothing'}`, () => {
      const plan = planAppend({ ...known, ...state }, { ...said, ...request });
      assert.ok('refusal' in plan);
      assert.deepEqual([plan.refusal.code, plan.endsUpload], [code, endsUpload]);
    });
  }
});

describe('a failure of an upload', () => {
  it('a failure gets the offset and keeps everything else; any other error stays as it is', () => {
    const cause = new Error('why');
    const failure = withOffset(new Failure('FILE_TOO_LARGE', { limit: 'x' }, cause), 7, false);
    assert.ok(failure instanceof Failure);
    const detail = { limit: 'x', uploadOffset: 7, isUploadComplete: false };
    assert.deepEqual([failure.code, failure.detail, failure.cause], ['FILE_TOO_LARGE', detail, cause]);
    assert.equal(withOffset(cause, 7, false), cause);
  });

  it('a failure of the content is not passing; an error that no rule made is', () => {
    assert.deepEqual([new Failure('FILE_CORRUPT'), new Failure('FILE_INFECTED'), new Error()].map(isPassing), [
      false,
      false,
      true,
    ]);
  });
});
