// The configured storage: its name in messages, and its installation id.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseStorageUrl } from '../../src/config/read-secrets.ts';
import { nameStorage, readMarkOf } from '../../src/service/choose-blobs.ts';

describe('the name of the storage', () => {
  it('is the disk without a setting, and S3 with one, each with its own cure', () => {
    const disk = nameStorage({ storage: undefined });
    const s3 = nameStorage({ storage: parseStorageUrl('s3://A:B@host/bucket') ?? assert.fail() });
    assert.deepEqual([disk.title, s3.title], ['the disk', 'S3']);
    assert.match(disk.cure, /DATA_DIR/);
    assert.match(s3.cure, /STORAGE_URL/);
  });
});

describe('the installation id of the storage', () => {
  it('is read again after the storage could not be opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-blobs-'));
    try {
      const dataDir = join(folder, 'data');
      const readMark = readMarkOf({ storage: undefined, dataDir });
      writeFileSync(dataDir, '');
      await assert.rejects(readMark());
      rmSync(dataDir);
      assert.equal(await readMark(), undefined);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
