// A text in one piece has the same characters.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flatText } from '../../../src/kernel/text/flat-text.ts';

describe('a flat text', () => {
  for (const parts of [[], ['a'], ['failures:', 'x'.repeat(43)], ['a', '', 'é', '•', '😀']]) {
    it(`is its ${parts.length} parts one after the other`, () => {
      assert.equal(
        flatText(...parts),
        parts.reduce((all, part) => all + part, ''),
      );
    });
  }
});
