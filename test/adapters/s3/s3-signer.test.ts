// Signatures for S3: the published example of the specification, and exactly the bytes that are sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createS3Signer } from '../../../src/adapters/s3/s3-signer.ts';

const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

describe('a signed URL', () => {
  it('has the signature of the example in the specification', async () => {
    const signer = createS3Signer({
      origin: 'https://examplebucket.s3.amazonaws.com',
      bucket: 'test.txt',
      prefix: '',
      region: 'us-east-1',
      accessKeyId,
      secretAccessKey,
    });
    const url = await signer.signUrl({ key: '', query: {}, seconds: 86_400, signedAt: Date.UTC(2013, 4, 24) });
    const { origin, pathname, searchParams } = new URL(url);
    assert.equal(`${origin}${pathname}`, 'https://examplebucket.s3.amazonaws.com/test.txt');
    assert.deepEqual(Object.fromEntries(searchParams), {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
      'X-Amz-Date': '20130524T000000Z',
      'X-Amz-Expires': '86400',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    });
  });
});

describe('a signer for S3', () => {
  const signer = createS3Signer({
    origin: 'http://s3.example.com:9000',
    bucket: 'bucket',
    prefix: 'files/',
    region: 'eu-1',
    accessKeyId,
    secretAccessKey,
  });

  it('a signed URL is the same for the same second, and carries its headers in one encoding', async () => {
    const query = { 'response-content-disposition': `attachment; filename="a b+c.txt"; filename*=UTF-8''%E2%82%AC` };
    const input = { key: 'files/fil_1', query, seconds: 60, signedAt: 5000 };
    const url = await signer.signUrl(input);
    assert.equal(await signer.signUrl(input), url);
    assert.notEqual(await signer.signUrl({ ...input, signedAt: 6000 }), url);
    assert.match(url, /^http:\/\/s3\.example\.com:9000\/bucket\/files\/fil_1\?/);
    assert.equal(new URL(url).searchParams.get('response-content-disposition'), query['response-content-disposition']);
    assert.doesNotMatch(url.slice(url.indexOf('?')), /\+| |'|\(/);
    assert.doesNotMatch(url, /wJalr/);
  });

  it('a request is signed over its host, time and payload, and an empty key means the bucket', async () => {
    const sign = (key: string, query: Record<string, string> = {}) =>
      signer.signHead({ method: 'GET', key, query, payloadSha256: 'a'.repeat(64) });
    const { path, headers } = await sign('files/fil_1');
    assert.equal(path, '/bucket/files/fil_1');
    assert.equal(headers.host, 's3.example.com:9000');
    assert.equal(headers['x-amz-content-sha256'], 'a'.repeat(64));
    assert.match(headers['x-amz-date'] ?? '', /^\d{8}T\d{6}Z$/);
    assert.match(
      headers.authorization ?? '',
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    assert.equal((await sign('', { 'list-type': '2', prefix: 'a/b c' })).path, '/bucket?list-type=2&prefix=a%2Fb%20c');
  });

  it('the payload, the key and the method change the signature', async () => {
    const of = async (method: string, key: string, payloadSha256: string) =>
      (await signer.signHead({ method, key, query: {}, payloadSha256 })).headers.authorization?.split('Signature=')[1];
    const all = await Promise.all([
      of('GET', 'a', 'a'.repeat(64)),
      of('PUT', 'a', 'a'.repeat(64)),
      of('GET', 'b', 'a'.repeat(64)),
      of('GET', 'a', 'b'.repeat(64)),
    ]);
    assert.equal(new Set(all).size, 4);
  });
});
