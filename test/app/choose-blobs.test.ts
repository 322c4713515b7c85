// The name of the configured storage in messages.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameStorage } from '../../src/app/choose-blobs.ts';
import { parseStorageUrl } from '../../src/config/read-secrets.ts';

describe('the name of the storage', () => {
  it('is the disk without a setting, and S3 with one, each with its own cure', () => {
    const disk = nameStorage({ storage: undefined });
    const s3 = nameStorage({ storage: parseStorageUrl('s3://A:B@host/bucket') ?? assert.fail() });
    assert.deepEqual([disk.title, s3.title], ['the disk', 'S3']);
    assert.match(disk.cure, /DATA_DIR/);
    assert.match(s3.cure, /STORAGE_URL/);
  });
});
