// A file of settings, read as systemd reads an EnvironmentFile.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEnvFile } from '../../src/config/env-file.ts';

describe('a file of settings', () => {
  for (const [text, values] of [
    ['', {}],
    ['# words\n; words\n\n  \n', {}],
    ['PORT=1\nHOST = x\n', { PORT: '1', HOST: 'x' }],
    ['\uFEFFPORT=1\r\nHOST=x y \r\n', { PORT: '1', HOST: 'x y' }],
    ['URL=twilio://SID:a#b@?from=%2B1;x\n', { URL: 'twilio://SID:a#b@?from=%2B1;x' }],
    ['A="one two" # no comment', { A: 'one two# no comment' }],
    ["A='o\"n\\e'\nB='a\nb'", { A: 'o"n\\e', B: 'a\nb' }],
    ['A="a\\"b\\\\c\\$d\\e"\nB="a\\\nb"', { A: 'a"b\\c$d\\e', B: 'ab' }],
    ['A="x"\'y\'z', { A: 'xyz' }],
    ['A=one\\\ntwo\nB=c\\\\d\\ ', { A: 'onetwo', B: 'c\\d ' }],
    ['A=it\'s "so"', { A: 'it\'s "so"' }],
    ['A=1\nA=2', { A: '2' }],
    ['A=', { A: '' }],
    ['A=x=y', { A: 'x=y' }],
  ] as [string, Record<string, string>][]) {
    it(`${JSON.stringify(text)} sets ${JSON.stringify(values)}`, () => {
      const { settings, problems } = parseEnvFile(text);
      assert.deepEqual(problems, []);
      assert.deepEqual(Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value])), values);
    });
  }

  it('names the line of each setting', () => {
    const { settings } = parseEnvFile('# a\nA="1\n2"\n\nB=3\\\n4\nC=5');
    assert.deepEqual(
      Object.values(settings).map(({ line }) => line),
      [2, 5, 7],
    );
  });

  for (const [text, line, trouble, cure] of [
    ['A=1\nwords\nB=2', 2, 'sets nothing', 'write NAME=value, or put # before a comment'],
    ['export A=1', 1, 'has no name of a setting before its =', 'leave out export'],
    ['1A=x', 1, 'has no name of a setting before its =', 'write NAME=value, or put # before a comment'],
    [
      'A=1\n\nSECRET="hunter2\nB=2\n',
      3,
      'sets SECRET, whose value begins with a quote that nothing ends',
      'close the quote',
    ],
    ["A='x", 1, 'sets A, whose value begins with a quote that nothing ends', 'close the quote'],
  ] as const) {
    it(`${JSON.stringify(text)} is wrong in line ${line}, and its value is not shown`, () =>
      assert.deepEqual(parseEnvFile(text).problems, [{ line, trouble, cure }]));
  }
});
