// The place of a storage: two settings with other keys may name the same one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeOf } from '../../../src/commands/files/files-move.ts';
import { parseStorageUrl } from '../../../src/config/read-secrets.ts';

const place = (text: string) => placeOf(parseStorageUrl(text) ?? assert.fail(text));

describe('the place of a storage', () => {
  it('depends on host, bucket and prefix, and not on keys, region or TLS', () => {
    const one = place('s3://A:B@host:9000/bucket');
    assert.equal(place('s3://C:D@host:9000/bucket?region=x&tls=0'), one);
    for (const other of ['s3://A:B@host/bucket', 's3://A:B@host:9000/other', 's3://A:B@host:9000/bucket?prefix=a/'])
      assert.notEqual(place(other), one);
  });

  it('of the disk differs from one of S3', () =>
    assert.notEqual(placeOf(undefined), place('s3://A:B@host:9000/bucket')));
});
