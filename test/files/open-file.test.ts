// Who may read a file, and how it is served. Whoever may not gets the same answer as for no file.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openFile } from '../../src/files/open-file.ts';
import type { Purpose } from '../../src/files/purpose.ts';
import type { StoredFile } from '../../src/files/stored-file.ts';
import { clock, fileId, memoryFiles, memorySharing, noon, recordOf } from '../helpers/blobs/memory-files.ts';
import { asUserId } from '../helpers/people/ids.ts';

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
  purpose('named', { readableBy: 'named' }),
];
const depsOf = (...records: StoredFile[]) => ({
  files: memoryFiles(records),
  sharing: memorySharing(records, [{ fileId: fileId(1), userId: asUserId('cas') }]),
  purposes,
  clock,
});

describe('opening a file', () => {
  for (const [name, usedFor, userId, expected] of [
    ['the owner reads a private file', 'private', 'ann', 'inline'],
    ['the owner gets a file as its purpose serves it', 'saved', 'ann', 'attachment'],
    ['the owner reads a shared file', 'shared', 'ann', 'inline'],
    ['the owner reads a file whose purpose is gone, only as a download', 'former', 'ann', 'attachment'],
    ['every user reads a shared file', 'shared', 'bob', 'inline'],
    ['no other user reads a private file', 'private', 'bob', undefined],
    ['a named user reads a file whose purpose allows readers', 'named', 'cas', 'inline'],
    ['no other user reads a file with named readers', 'named', 'bob', undefined],
    ['a named user does not read a private file', 'private', 'cas', undefined],
    ['a named user does not read a file whose purpose is gone', 'former', 'cas', undefined],
    ['no other user reads a file whose purpose is gone', 'former', 'bob', undefined],
  ] as const) {
    it(name, async () => {
      const file = recordOf(fileId(1), 'x', { purpose: usedFor });
      const opening = openFile(depsOf(file), { userId: asUserId(userId), id: file.id });
      if (expected === undefined) await assert.rejects(opening, { code: 'FILE_NOT_FOUND', detail: {} });
      else assert.deepEqual(await opening, { file, served: expected });
    });
  }

  for (const type of ['image/heic', 'image/heif', 'image/jpeg', 'image/bmp']) {
    it(`a file of the type ${type} is attached if browsers cannot show it, whatever its purpose says`, async () => {
      const file = recordOf(fileId(1), 'x', { purpose: 'private', type });
      const { served } = await openFile(depsOf(file), { userId: asUserId('ann'), id: file.id });
      assert.equal(served, type.startsWith('image/hei') ? 'attachment' : 'inline');
    });
  }

  for (const [what, times] of [
    ['a file in the trash', { deletedAt: noon - 1 }],
    ['a file whose time is over', { keepUntil: noon }],
  ] as const) {
    it(`${what} is not found, by its owner, by another user and by the back end`, async () => {
      const file = recordOf(fileId(1), 'x', { purpose: 'shared', ...times });
      for (const reader of [{ userId: asUserId('ann') }, { userId: asUserId('bob') }, { keyId: 'key' }]) {
        const opening = openFile(depsOf(file), { ...reader, id: file.id });
        await assert.rejects(opening, { code: 'FILE_NOT_FOUND', detail: {} });
      }
    });
  }

  it('a file that does not exist is not found', async () => {
    await assert.rejects(openFile(depsOf(), { userId: asUserId('ann'), id: fileId(1) }), { code: 'FILE_NOT_FOUND' });
  });

  it('the store is not asked about what is no id of a file', async () => {
    const file = recordOf('../etc/passwd', 'x', { purpose: 'private' });
    const opening = openFile(depsOf(file), { userId: asUserId('ann'), id: file.id });
    await assert.rejects(opening, { code: 'FILE_NOT_FOUND' });
  });
});
