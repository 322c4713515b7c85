// What answers with a file have in common is kept, and made anew if the record is another.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFileHeads, describeFile } from '../../../src/http/transfer/file-head.ts';
import { fileId, noon, recordOf } from '../../helpers/blobs/memory-files.ts';

const file = recordOf(fileId(1), 'hello world', { name: 'a.txt', createdAt: noon });

describe('the head of a file', () => {
  it('is kept for the same record', () => {
    const headOf = createFileHeads();
    const head = headOf(file, 'inline');
    assert.deepEqual(head, describeFile(file, 'inline'));
    assert.equal(headOf({ ...file, purpose: 'other' }, 'inline'), head);
  });

  it('is made anew for an attachment', () => {
    const headOf = createFileHeads();
    headOf(file, 'inline');
    assert.deepEqual(headOf(file, 'attachment'), describeFile(file, 'attachment'));
    assert.deepEqual(headOf(file, 'inline'), describeFile(file, 'inline'));
  });

  for (const change of [
    { name: 'b.txt' },
    { type: 'text/csv' },
    { charset: 'utf-16le' },
    { size: 12 },
    { sha256: 'ab'.repeat(32) },
    { createdAt: noon + 1000 },
  ]) {
    it(`is made anew for a record with another ${Object.keys(change)[0]}`, () => {
      const headOf = createFileHeads();
      const before = headOf(file, 'inline');
      const changed = headOf({ ...file, ...change }, 'inline');
      assert.deepEqual(changed, describeFile({ ...file, ...change }, 'inline'));
      assert.notDeepEqual(changed, before);
    });
  }

  it('is forgotten when there are too many', () => {
    const headOf = createFileHeads(2);
    const head = headOf(file, 'inline');
    headOf(recordOf(fileId(2), 'b'), 'inline');
    assert.equal(headOf(file, 'inline'), head);
    headOf(recordOf(fileId(3), 'c'), 'inline');
    assert.notEqual(headOf(file, 'inline'), head);
  });
});
