// The list of the test files that start first names files that exist.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { longestFiles } from '../../scripts/longest-files.ts';

describe('the longest test files', () => {
  it('every file of the list exists and is listed once', () => {
    assert.deepEqual(
      longestFiles.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url))),
      [],
    );
    assert.equal(new Set(longestFiles).size, longestFiles.length);
  });
});
