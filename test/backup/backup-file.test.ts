// A backup as one file: which names mean a file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFileName } from '../../src/backup/backup-file.ts';

describe('the name of a backup', () => {
  for (const [path, expected] of [
    ['/backups/monday.tar', true],
    ['monday.tar', true],
    ['/backups/monday', false],
    ['/backups/monday.tar/x', false],
    ['/backups/monday.tar.gz', false],
  ] as const) {
    it(`${path} is a ${expected ? 'file' : 'folder'}`, () => assert.equal(isFileName(path), expected));
  }
});
