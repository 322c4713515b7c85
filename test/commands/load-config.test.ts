// The settings of a command: lines of .env that set nothing, and problems told at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeProblems, warnOfFile } from '../../src/commands/load-config.ts';

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

describe('the problems of settings', () => {
  const port = { name: 'PORT', trouble: 'is “x”, which cannot be read', cure: 'write a number' };

  it('one problem is told with its cure', () =>
    assert.equal(
      describeProblems([port]),
      '1 setting needs attention.\n\n  PORT is “x”, which cannot be read: write a number\n\nEvery setting is explained in .env.example.',
    ));

  it('several problems are told together', () => {
    const text = describeProblems([port, { name: 'HOST', trouble: 'is required', cure: 'write one' }]);
    assert.match(text, /^2 settings need attention\.\n\n {2}PORT .*\n {2}HOST is required: write one\n\n/);
  });
});
