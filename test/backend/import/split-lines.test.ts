// Cutting JSONL: one record per line, and a broken line costs only itself.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestRecord, type Splitter } from '../../../src/backend/import/foreign-user.ts';
import { splitLines } from '../../../src/backend/import/split-lines.ts';

const all = (splitter: Splitter, ...chunks: string[]) => [...chunks.flatMap(splitter.push), ...splitter.end()];

describe('splitLines', () => {
  it('each line is a record with its number, and empty lines are none', () => {
    const text = '{"a":1}\r\n\n{"a":\n{"a":2}';
    const expected = [
      { line: 1, value: { a: 1 } },
      { line: 3, problem: 'the line is not JSON' },
      { line: 4, value: { a: 2 } },
    ];
    for (let at = 0; at <= text.length; at++)
      assert.deepEqual(all(splitLines(), text.slice(0, at), text.slice(at)), expected, String(at));
  });

  it('a line that is too long is skipped without being held, and the next one is read', () => {
    const part = 'x'.repeat(longestRecord / 2 + 1);
    const expected = [
      { line: 1, problem: 'the record is longer than 1 MiB' },
      { line: 2, value: 2 },
    ];
    assert.deepEqual(all(splitLines(), part, part, part, '\n2\n'), expected);
    assert.deepEqual(all(splitLines(), `${part}${part}\n2`), expected);
    assert.deepEqual(all(splitLines(), part, part), expected.slice(0, 1));
  });
});
