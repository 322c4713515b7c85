// Where the files of the program are, seen from the source tree.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { entryPoints, projectFile, type ThreadName, threadUrl } from '../../../src/kernel/process/program-files.ts';

describe('the files of the program', () => {
  for (const [name, path] of Object.entries(entryPoints)) {
    it(`the entry point ${name} exists`, () => assert.ok(existsSync(projectFile(path)), path));
  }

  for (const name of Object.keys(entryPoints).filter((entry) => entry.endsWith('-thread')) as ThreadName[]) {
    it(`the thread ${name} runs its source`, () =>
      assert.equal(threadUrl(name).href, projectFile(entryPoints[name]).href));
  }
});
