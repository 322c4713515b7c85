// What an error of an examination means: the file is at fault, unless the disk is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusalOf } from '../../../src/adapters/examiner/serve-tasks.ts';
import { Failure } from '../../../src/kernel/failure.ts';

const diskError = (code: string) => Object.assign(new Error(`${code}: no`), { code, syscall: 'read' });

describe('the refusal of a file', () => {
  for (const [what, error, expected] of [
    [
      'a failure',
      new Failure('FILE_TYPE_NOT_ALLOWED', { list: 'x' }),
      { code: 'FILE_TYPE_NOT_ALLOWED', detail: { list: 'x' }, reason: undefined },
    ],
    [
      'a failure with an error',
      new Failure('FILE_CORRUPT', {}, new Error('why')),
      { code: 'FILE_CORRUPT', detail: {}, reason: 'why' },
    ],
    [
      'a failure with a text',
      new Failure('FILE_CORRUPT', {}, 'why'),
      { code: 'FILE_CORRUPT', detail: {}, reason: 'why' },
    ],
    [
      'a failure with a number',
      new Failure('FILE_CORRUPT', {}, 5),
      { code: 'FILE_CORRUPT', detail: {}, reason: undefined },
    ],
    ['a full disk', diskError('ENOSPC'), { code: 'STORAGE_FULL', detail: {}, reason: 'ENOSPC: no' }],
    [
      'a broken disk',
      diskError('EIO'),
      { code: 'STORAGE_UNAVAILABLE', detail: { retryAfterSeconds: 5 }, reason: 'EIO: no' },
    ],
    [
      'an error of the prover',
      new RangeError('out of bounds'),
      { code: 'FILE_CORRUPT', detail: {}, reason: 'RangeError: out of bounds' },
    ],
    [
      'an error with a code only',
      Object.assign(new Error('x'), { code: 'ERR_X' }),
      { code: 'FILE_CORRUPT', detail: {}, reason: 'Error: x' },
    ],
    ['no error at all', 'text', { code: 'FILE_CORRUPT', detail: {}, reason: 'text' }],
  ] as const) {
    it(`after ${what} is ${expected.code}`, () => assert.deepEqual(refusalOf(error), expected));
  }
});
