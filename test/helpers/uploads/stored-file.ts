// The record of a stored file, for all tests. A new field of a file is added here.
import type { StoredFile } from '../../../src/files/stored-file.ts';
import { asFileId, asUserId } from '../people/ids.ts';

/** A text of Ann’s. */
export function makeFile(changes: Partial<StoredFile> = {}): StoredFile {
  return {
    id: asFileId('file'),
    userId: asUserId('ann'),
    purpose: 'document',
    name: 'a.txt',
    type: 'text/plain',
    size: 40,
    sha256: 'ab'.repeat(32),
    width: undefined,
    height: undefined,
    charset: undefined,
    createdAt: 0,
    ...changes,
  };
}
