// Bytes in memory: what was used last stays, up to a total.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createByteCache } from '../../../src/files/storage/byte-cache.ts';

describe('bytes in memory', () => {
  it('the entry that was not used for the longest time makes room', () => {
    const cache = createByteCache(10);
    cache.keep('a', Buffer.alloc(4));
    cache.keep('b', Buffer.alloc(4));
    cache.get('a');
    cache.keep('c', Buffer.alloc(4));
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => cache.get(name)?.length),
      [4, undefined, 4],
    );
  });

  it('an entry that is kept again counts once', () => {
    const cache = createByteCache(10);
    for (const _ of [1, 2, 3]) cache.keep('a', Buffer.alloc(5));
    cache.keep('b', Buffer.alloc(5));
    assert.deepEqual([cache.get('a')?.length, cache.get('b')?.length], [5, 5]);
  });

  it('an entry larger than the total is not kept', () => {
    const cache = createByteCache(10);
    cache.keep('a', Buffer.alloc(11));
    assert.equal(cache.get('a'), undefined);
  });
});
