// The smallest edit of a file: a removal.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removal } from '../../src/strip/edit.ts';

describe('a removal', () => {
  it('a removal replaces the bytes from start to end by nothing', () => {
    assert.deepEqual(removal({ start: 3, end: 8 }), { from: 3, to: 8, bytes: Buffer.alloc(0) });
  });
});
