// The id of a file: what counts as one, and that new ones do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFileId, newFileId } from '../../src/files/stored-file.ts';

describe('the id of a file', () => {
  const tail = 'AZaz09_-AZaz09_-AZaz09';
  for (const [text, expected] of [
    [`fil_${tail}`, true],
    ['', false],
    ['fil_', false],
    [`fil_${tail.slice(1)}`, false],
    [`fil_${tail}A`, false],
    [` fil_${tail}`, false],
    [`fil_${tail}\n`, false],
    [`FIL_${tail}`, false],
    [`fil-${tail}`, false],
    [`ins_${tail}`, false],
    [`fil_${tail.slice(1)}.`, false],
    [`fil_${tail.slice(1)}/`, false],
    [`fil_${tail.slice(1)}é`, false],
    [`../fil_${tail}`, false],
  ] as const) {
    it(`${JSON.stringify(text)} is ${expected ? 'the id of a file' : 'no id of a file'}`, () => {
      assert.equal(isFileId(text), expected);
    });
  }

  it('every new id is one, and no two are the same', () => {
    const ids = new Set(Array.from({ length: 300 }, newFileId));
    assert.equal(ids.size, 300);
    for (const id of ids) assert.ok(isFileId(id), id);
  });
});
