// The lines of .env that set nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { warnOfFile } from '../../src/commands/dot-env-lines.ts';

describe('a line of .env', () => {
  for (const [text, lines] of [
    ['', []],
    ['# words\n\n   \n', []],
    ['PORT=1\nHOST = x # y\nexport A=b\nA.b-c=\n', []],
    ['PORT=1\r\nHOST=x\r\n', []],
    ['A="one\ntwo three\n"\nB=1', []],
    ["A='one\ntwo'\nB=1", []],
    ['A=`one\ntwo`\nB=1', []],
    ['nonsense', [1]],
    ['PORT=1\nnonsense here\r\nHOST=x\n=5\n', [2, 4]],
    ['A="one\ntwo"\nnonsense', [3]],
    ['A="one\ntwo', [2]],
    ['export PORT', [1]],
    ['PORT: 1', [1]],
  ] as [string, number[]][]) {
    it(`${JSON.stringify(text)} has ${lines.length} lines that set nothing`, () =>
      assert.deepEqual(
        warnOfFile(text),
        lines.map((line) => `line ${line} of .env sets nothing: write NAME=value, or put # before a comment.`),
      ));
  }
});
