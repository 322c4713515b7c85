// Hashes and key derivation against published test vectors, and a comparison that is true only for the same bytes.
import assert from 'node:assert/strict';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deriveKey, hmacSha256, isMac, isSame, readKey, sha256, writeMac } from '../../../src/kernel/crypto/digest.ts';
import { seed } from '../../helpers/faults/rounds.ts';

describe('digests', () => {
  it('SHA-256 of abc is that of FIPS 180-4, in base64url', () => {
    const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    assert.equal(sha256('abc'), Buffer.from(expected, 'hex').toString('base64url'));
    assert.equal(sha256(Buffer.from('abc')), sha256('abc'));
  });

  it('HMAC-SHA-256 is that of RFC 4231, as bytes, hexadecimal and base64url', () => {
    const key = Buffer.alloc(20, 0x0b);
    const expected = 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7';
    assert.equal(hmacSha256(key, 'Hi There').toString('hex'), expected);
    assert.equal(hmacSha256(key, Buffer.from('Hi There'), 'hex'), expected);
    assert.equal(hmacSha256(key, 'Hi There', 'base64url'), Buffer.from(expected, 'hex').toString('base64url'));
  });

  it('the first bytes of a keyed hash are written where they belong, and no others', () => {
    const key = randomBytes(32);
    const target = Buffer.alloc(40, 1);
    writeMac(key, 'text', target, 5, 16);
    assert.deepEqual(target.subarray(5, 21), hmacSha256(key, 'text').subarray(0, 16));
    assert.ok(target.every((byte, at) => (at >= 5 && at < 21) || byte === 1));
  });

  it('a MAC is the first bytes of the keyed hash of this text with this key', () => {
    const key = randomBytes(32);
    for (const length of [8, 16, 32]) {
      const mac = hmacSha256(key, 'text').subarray(0, length);
      assert.equal(isMac(key, 'text', mac), true);
      assert.equal(isMac(key, 'other', mac), false);
      assert.equal(isMac(randomBytes(32), 'text', mac), false);
      for (const at of mac.keys()) {
        const changed = Buffer.from(mac);
        changed[at] = (changed[at] ?? 0) ^ 1;
        assert.equal(isMac(key, 'text', changed), false, `byte ${at}`);
      }
    }
  });

  it('HMAC-SHA-256 is that of the library for keys and texts of every length', () => {
    const key = randomBytes(32);
    const expected = (of: Buffer, data: string | Buffer) => createHmac('sha256', of).update(data).digest('hex');
    for (let length = 0; length < 1000; length += 1) {
      const data = randomBytes(length);
      assert.equal(hmacSha256(key, data, 'hex'), expected(key, data), `${length} bytes`);
      assert.equal(hmacSha256(key, 'é'.repeat(length), 'hex'), expected(key, 'é'.repeat(length)), `${length} letters`);
    }
    for (let length = 0; length < 150; length += 1) {
      const other = randomBytes(length);
      assert.equal(hmacSha256(other, 'text', 'hex'), expected(other, 'text'), `a key of ${length} bytes`);
    }
  });

  it('HMAC-SHA-256 is that of the library for any text, also after a longer one with the same key', () => {
    const key = randomBytes(32);
    const property = fc.property(fc.array(fc.nat(0x10ffff)), fc.nat(40), (points, times) => {
      const repeated = String.fromCodePoint(...points).repeat(times);
      assert.deepEqual(hmacSha256(key, repeated), createHmac('sha256', key).update(repeated).digest());
    });
    fc.assert(property, { seed, numRuns: 200 });
    for (const half of ['\ud800', 'a\udc00b'])
      assert.equal(hmacSha256(key, half, 'hex'), createHmac('sha256', key).update(half).digest('hex'));
  });

  it('a digest is not changed by the next one', () => {
    const key = randomBytes(32);
    const first = hmacSha256(key, 'first');
    const copy = Buffer.from(first);
    hmacSha256(key, 'second');
    assert.deepEqual(first, copy);
  });

  it('a key that is passed on as text is the same key, and is read once', () => {
    const key = randomBytes(32);
    const text = key.toString('base64url');
    assert.deepEqual(readKey(text), key);
    assert.equal(readKey(text), readKey(text));
    for (let other = 0; other < 100; other += 1) readKey(randomBytes(32).toString('base64url'));
    assert.deepEqual(readKey(text), key);
  });

  it('a key is derived by HKDF with the salt gatehouse, and differs by secret and purpose', () => {
    const key = deriveKey('secret', 'purpose');
    assert.deepEqual(key, Buffer.from(hkdfSync('sha256', 'secret', 'gatehouse', 'purpose', 32)));
    assert.equal(key.toString('hex'), deriveKey('secret', 'purpose').toString('hex'));
    assert.notDeepEqual(key, deriveKey('secret', 'another'));
    assert.notDeepEqual(key, deriveKey('another', 'purpose'));
  });
});

describe('a comparison in constant time', () => {
  for (const [a, b, expected] of [
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['ab', 'abc', false],
    ['é', 'e', false],
    ['abc', Buffer.from('abc'), true],
    [Buffer.from([0]), Buffer.from([0, 0]), false],
    [Buffer.from([255]), Buffer.from([255]), true],
  ] as const) {
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)} are ${expected ? '' : 'not '}the same`, () =>
      assert.equal(isSame(a, b), expected));
  }

  it('two texts are the same exactly if their bytes are', () => {
    const property = fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(isSame(a, b), Buffer.from(a).equals(Buffer.from(b)));
      assert.ok(isSame(a, a));
    });
    fc.assert(property, { seed, numRuns: 200 });
  });
});
