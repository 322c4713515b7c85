// Paths that code outside the route tables needs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileUrl, uploadUrl } from '../../../src/http/interface/paths.ts';

describe('the URL of a file', () => {
  it('the URL of a file has its id as it is', () => {
    assert.equal(fileUrl('fil_abc'), '/file/fil_abc');
    assert.equal(fileUrl('$&$1'), '/file/$&$1');
    assert.equal(uploadUrl('upl_abc'), '/api/file/upload/upl_abc');
  });
});
