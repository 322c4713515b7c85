// The storage URL of S3: its parts, its defaults, and what is refused without showing the secret.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readS3Place } from '../../../src/adapters/s3/s3-place.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

const url = (text: string) => parseProviderUrl(text, 'host') ?? assert.fail(text);

describe('the place of an S3 storage', () => {
  const usual = {
    origin: 'https://s3.example.com',
    bucket: 'bucket',
    prefix: '',
    region: 'us-east-1',
    accessKeyId: 'KEY',
    secretAccessKey: 'hunter2',
  };
  for (const [text, changes] of [
    ['s3://KEY:hunter2@s3.example.com/bucket', {}],
    ['s3://KEY:hunter2@s3.example.com/bucket/', {}],
    ['s3://KEY:hunter2@s3.example.com:9000/bucket?tls=0', { origin: 'http://s3.example.com:9000' }],
    ['s3://KEY:hunter2@[::1]:9000/bucket', { origin: 'https://[::1]:9000' }],
    ['s3://KEY:hunter2@s3.example.com/bucket?region=eu-1', { region: 'eu-1' }],
    ['s3://KEY:hunter2@s3.example.com/bucket?region=', {}],
    ['s3://KEY:hunter2@s3.example.com/my.bucket-1_x', { bucket: 'my.bucket-1_x' }],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=a/b_1.2=3-/', { prefix: 'a/b_1.2=3-/' }],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=a', { prefix: 'a' }],
    ['s3://KEY:a%2Fb%2B@s3.example.com/bucket', { secretAccessKey: 'a/b+' }],
  ] as const) {
    it(`${text} is read`, () => assert.deepEqual(readS3Place(url(text)), { ...usual, ...changes }));
  }

  for (const [text, why] of [
    ['s3://KEY:hunter2@/bucket', 'the host is missing'],
    ['s3://KEY:hunter2@a b/bucket', 'the host is missing'],
    ['s3://KEY:hunter2@s3.example.com', 'the path must be the bucket'],
    ['s3://KEY:hunter2@s3.example.com/b', 'the path must be the bucket'],
    ['s3://KEY:hunter2@s3.example.com/-bucket', 'the path must be the bucket'],
    ['s3://KEY:hunter2@s3.example.com/bucket/folder', 'the path must be the bucket'],
    [`s3://KEY:hunter2@s3.example.com/${'b'.repeat(64)}`, 'the path must be the bucket'],
    ['s3://s3.example.com/bucket', 'the key and its secret are missing'],
    ['s3://KEY@s3.example.com/bucket', 'the key and its secret are missing'],
    ['s3://:hunter2@s3.example.com/bucket', 'the key and its secret are missing'],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=/a', 'the prefix may contain'],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=a//b', 'the prefix may contain'],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=./a', 'the prefix may contain'],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=a/../b', 'the prefix may contain'],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=a b', 'the prefix may contain'],
    ['s3://KEY:hunter2@s3.example.com/bucket?prefix=a%2Bb', 'the prefix may contain'],
    [`s3://KEY:hunter2@s3.example.com/bucket?prefix=${'a'.repeat(513)}`, 'the prefix may contain'],
  ] as const) {
    it(`${text.slice(0, 80)} is refused: ${why}`, () =>
      assert.throws(
        () => readS3Place(url(text)),
        ({ message }: Error) => message.includes(why) && !message.includes('hunter2'),
      ));
  }
});
