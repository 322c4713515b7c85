// Who may read a file, and how it is served. Whoever may not gets the same answer as for no file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openFile } from '../../src/files/open-file.ts';
import type { Purpose } from '../../src/files/purpose.ts';
import { fileId, memoryFiles, recordOf } from '../helpers/memory-files.ts';

const purpose = (name: string, changes: Partial<Purpose>): Purpose => ({
  name,
  types: ['text/plain'],
  maxBytes: 1,
  readableBy: 'owner',
  served: 'inline',
  ...changes,
});
const purposes = [
  purpose('private', {}),
  purpose('saved', { served: 'attachment' }),
  purpose('shared', { readableBy: 'signed-in' }),
];

describe('opening a file', () => {
  for (const [name, usedFor, userId, expected] of [
    ['the owner reads a private file', 'private', 'ann', 'inline'],
    ['the owner gets a file as its purpose serves it', 'saved', 'ann', 'attachment'],
    ['the owner reads a shared file', 'shared', 'ann', 'inline'],
    ['the owner reads a file whose purpose is gone, only as a download', 'former', 'ann', 'attachment'],
    ['every user reads a shared file', 'shared', 'bob', 'inline'],
    ['no other user reads a private file', 'private', 'bob', undefined],
    ['no other user reads a file whose purpose is gone', 'former', 'bob', undefined],
  ] as const) {
    it(name, async () => {
      const file = recordOf(fileId(1), 'x', { purpose: usedFor });
      const opening = openFile({ files: memoryFiles([file]), purposes }, { userId, id: file.id });
      if (expected === undefined) await assert.rejects(opening, { code: 'FILE_NOT_FOUND', detail: {} });
      else assert.deepEqual(await opening, { file, served: expected });
    });
  }

  it('a file that does not exist is not found', async () => {
    const deps = { files: memoryFiles([]), purposes };
    await assert.rejects(openFile(deps, { userId: 'ann', id: fileId(1) }), { code: 'FILE_NOT_FOUND' });
  });

  it('the store is not asked about what is no id of a file', async () => {
    const files = memoryFiles([], { findFile: async () => recordOf('x', 'x') });
    const opening = openFile({ files, purposes }, { userId: 'ann', id: '../etc/passwd' });
    await assert.rejects(opening, { code: 'FILE_NOT_FOUND' });
  });
});
