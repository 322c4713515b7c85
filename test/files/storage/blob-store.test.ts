// The name of the mark in a storage: fixed for ever, and never listed as a blob.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markName } from '../../../src/files/storage/blob-store.ts';
import { isFileId } from '../../../src/files/stored-file.ts';

describe('the mark of a storage', () => {
  it('the mark has the name that storages of earlier versions have, and is no id of a file', () => {
    assert.equal(markName, 'gatehouse-installation');
    assert.ok(!isFileId(markName));
  });
});
