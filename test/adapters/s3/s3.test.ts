// The setting of an S3 storage: what makes its URL complete, and when it connects in plain text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { s3 } from '../../../src/adapters/s3/s3.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

const url = (text: string) => parseProviderUrl(text, 'host') ?? assert.fail(text);

describe('the setting of an S3 storage', () => {
  for (const [text, isComplete, plainHost] of [
    ['s3://KEY:hunter2@s3.example.com/bucket', true, undefined],
    ['s3://KEY:hunter2@s3.example.com:9000/bucket?tls=0', true, 's3.example.com:9000'],
    ['s3://KEY:hunter2@s3.example.com', false, undefined],
    ['s3://KEY@s3.example.com/bucket', false, undefined],
    ['s3://s3.example.com/bucket', false, undefined],
    ['s3://KEY:hunter2@/bucket', false, undefined],
  ] as const) {
    it(`${text} is ${isComplete ? '' : 'not '}complete`, () => {
      assert.equal(s3.isComplete(url(text)), isComplete);
      assert.equal(s3.plainHost(url(text)), plainHost);
    });
  }
});
