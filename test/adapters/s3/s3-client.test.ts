// The name of a request in errors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameOf } from '../../../src/adapters/s3/s3-client.ts';

describe('the name of an S3 request', () => {
  it('is its method and its blob, or the bucket', () => {
    assert.equal(nameOf({ method: 'PUT', id: 'fil_1' }), 'PUT fil_1');
    assert.equal(nameOf({ method: 'GET' }), 'GET bucket');
  });
});
