// Which test files a command line means.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseTests, filesOfTier, isUnit } from '../../scripts/choose-tests.ts';

const all = [
  'media/test/proofs/images/png.test.ts',
  'test/auth/codes/challenge.live.test.ts',
  'test/auth/codes/challenge.slow.test.ts',
  'test/auth/codes/challenge.test.ts',
  'test/auth/tokens/token.test.ts',
  'test/http/auth/token.test.ts',
  'test/http/sizes.slow.test.ts',
  'test/project/run-files.test.ts',
];
const challenge = ['test/auth/codes/challenge.live.test.ts', 'test/auth/codes/challenge.test.ts'];
const auth = [...challenge, 'test/auth/tokens/token.test.ts'];

describe('the test files of a command line', () => {
  for (const [what, words, files] of [
    ['a file', ['test/auth/codes/challenge.test.ts'], ['test/auth/codes/challenge.test.ts']],
    ['a file as a shell completes it', ['./test/auth/codes/challenge.test.ts'], ['test/auth/codes/challenge.test.ts']],
    ['a slow file that is named in full', ['test/http/sizes.slow.test.ts'], ['test/http/sizes.slow.test.ts']],
    ['a file without test/', ['auth/codes/challenge.test.ts'], ['test/auth/codes/challenge.test.ts']],
    ['the name of a file', ['challenge.live.test.ts'], ['test/auth/codes/challenge.live.test.ts']],
    ['a name', ['challenge'], challenge],
    ['a part of a path', ['codes/challenge'], challenge],
    ['a source file', ['src/auth/codes/challenge.ts'], challenge],
    ['a script', ['scripts/run-files.ts'], ['test/project/run-files.test.ts']],
    ['a folder', ['test/auth'], auth],
    ['a folder with a slash', ['test/auth/'], auth],
    ['a folder of sources', ['src/auth'], auth],
    ['a folder without test/', ['auth/codes'], challenge],
    ['a source file of a package', ['media/src/proofs/images/png.ts'], ['media/test/proofs/images/png.test.ts']],
    ['a package', ['media'], ['media/test/proofs/images/png.test.ts']],
    ['a pattern', ['test/**/token.test.ts'], ['test/auth/tokens/token.test.ts', 'test/http/auth/token.test.ts']],
    ['several words, each file once', ['src/auth', 'challenge'], auth],
  ] as const) {
    it(`${what} means its tests of the tier`, () => assert.deepEqual(chooseTests(words, all, 'fast'), { files }));
  }

  it('a folder in the slow tier means its slow tests, and in both tiers all of them', () => {
    assert.deepEqual(chooseTests(['test/auth/codes'], all, 'slow'), {
      files: ['test/auth/codes/challenge.slow.test.ts'],
    });
    assert.deepEqual(chooseTests(['test/auth/codes'], all, 'all'), { files: all.slice(1, 4) });
  });

  for (const [word, problem] of [
    ['test/auth/none.test.ts', 'No test file: test/auth/none.test.ts'],
    ['src/auth/none.ts', 'No test file: src/auth/none.ts'],
    ['wrong/challenge.test.ts', 'No test file: wrong/challenge.test.ts'],
    ['', 'No test file: '],
    ['token', 'token means several files:\n  test/auth/tokens/token.test.ts\n  test/http/auth/token.test.ts'],
    ['sizes', 'No test of this tier, name the file:\n  test/http/sizes.slow.test.ts'],
  ] as const) {
    it(`“${word}” is refused`, () => assert.deepEqual(chooseTests([word], all, 'fast'), { problem }));
  }

  it('one word that is refused refuses all', () => {
    assert.deepEqual(chooseTests(['challenge', 'none'], all, 'fast'), { problem: 'No test file: none' });
  });

  it('every file belongs to one tier', () => {
    assert.deepEqual([...filesOfTier(all, 'fast'), ...filesOfTier(all, 'slow')].sort(), all);
    assert.deepEqual(filesOfTier(all, 'all'), all);
    assert.equal(all.filter(isUnit).length, 5);
  });
});
