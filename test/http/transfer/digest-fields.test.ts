// Repr-Digest and Content-Digest: which digests are used, what is ignored, and what is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContentDigests, readReprDigest } from '../../../src/http/transfer/digest-fields.ts';

const sha256 = Buffer.alloc(32, 1);
const sha512 = Buffer.alloc(64, 2);
const [short, long] = [sha256, sha512].map((digest) => `:${digest.toString('base64')}:`);

describe('the digests that a client sends', () => {
  it('without a header there is none', () => {
    assert.deepEqual([readReprDigest(undefined), readContentDigests(undefined)], [undefined, []]);
  });

  it('of the content, sha-256 and sha-512 are checked, others are ignored, and parameters too', () => {
    const both = `md5=:AAAA:, sha-512=${long};q=1, sha-256=${short}`;
    assert.deepEqual(readContentDigests(both), [
      { algorithm: 'sha256', value: sha256 },
      { algorithm: 'sha512', value: sha512 },
    ]);
    assert.deepEqual(readContentDigests('md5=:AAAA:, crc32c=?1'), []);
  });

  it('of the whole file only sha-256 is used', () => {
    assert.equal(readReprDigest(`sha-512=${long}, sha-256=${short}`), sha256.toString('base64'));
    assert.equal(readReprDigest(`sha-512=${long}`), undefined);
  });

  for (const header of [
    'sha-256',
    'sha-256=1',
    'sha-256=::',
    `sha-256=${long}`,
    'sha-256=:AAAA:',
    'sha-256=AAAA',
    ':::',
  ])
    it(`${header.slice(0, 20)} is refused, and the message names the field`, () => {
      const refusal = (field: string) => ({ code: 'REQUEST_INVALID', detail: { field } });
      assert.throws(() => readContentDigests(header), refusal('content-digest'));
      assert.throws(() => readReprDigest(header), refusal('repr-digest'));
    });
});
