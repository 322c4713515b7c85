// The token in a link to a file: it says what was written, only for its file, and every other text says nothing that counts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLinkToken, readLinkToken, writeLinkToken } from '../../../src/files/sharing/link-token.ts';
import { hmacSha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';

const secrets = createSecrets('a secret of this test, long enough');
const claim = { fileId: fileId(1), linkId: 'AbCdEfGhIjKlMnO-', epoch: 7, expiresAt: 1_800_000_000_000 };
const token = writeLinkToken(secrets, claim);
const isGenuine = (text: string, of = claim.fileId, known = secrets) =>
  readLinkToken(known, of, text)?.isGenuine === true;

describe('the token of a link', () => {
  it('a token says what was written, and is genuine', () => {
    assert.deepEqual(readLinkToken(secrets, claim.fileId, token), { ...claim, isGenuine: true });
    assert.equal(token.length, 51);
    assert.ok(isLinkToken(token));
  });

  for (const changes of [{ epoch: 2 ** 32 - 1 }, { epoch: 0 }, { expiresAt: 0 }, { expiresAt: (2 ** 40 - 1) * 1000 }]) {
    it(`a token carries ${JSON.stringify(changes)}`, () => {
      const written = writeLinkToken(secrets, { ...claim, ...changes });
      assert.deepEqual(readLinkToken(secrets, claim.fileId, written), { ...claim, ...changes, isGenuine: true });
    });
  }

  it('no change of a single bit of a token is genuine', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(isGenuine(changed.toString('base64url')), false, `bit ${bit}`);
    }
  });

  it('no other spelling of the same bytes has the shape of a token', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = token.slice(-1);
    const same = [...alphabet].filter((letter) =>
      Buffer.from(token.slice(0, -1) + letter, 'base64url').equals(Buffer.from(token, 'base64url')),
    );
    assert.equal(same.length, 4);
    for (const letter of same) assert.equal(isLinkToken(token.slice(0, -1) + letter), letter === last);
  });

  for (const text of [
    '',
    'x',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token.slice(1)}`,
    '+'.repeat(51),
    'é'.repeat(51),
  ]) {
    it(`${JSON.stringify(text)} does not have the shape of a token`, () => {
      assert.equal(isLinkToken(text), false);
      assert.equal(readLinkToken(secrets, claim.fileId, text), undefined);
    });
  }

  it('a token is genuine only for its own file', () => {
    assert.equal(isGenuine(token, fileId(2)), false);
    assert.deepEqual(readLinkToken(secrets, fileId(2), token), { ...claim, fileId: fileId(2), isGenuine: false });
  });

  it('a token of another version is not genuine, even with a MAC of ours', () => {
    const other = Buffer.from(token, 'base64url').subarray(0, 22);
    other.writeUInt8(2, 0);
    const mac = hmacSha256(secrets.currentKey('file link'), Buffer.concat([other, Buffer.from(claim.fileId)]));
    const text = Buffer.concat([other, mac.subarray(0, 16)]).toString('base64url');
    assert.equal(readLinkToken(secrets, claim.fileId, text)?.isGenuine, false);
    other.writeUInt8(1, 0);
    assert.equal(Buffer.from(token, 'base64url').subarray(0, 22).equals(other), true);
  });

  it('a token stays genuine while its secret is the previous one, and not after', () => {
    const old = 'the secret before this one, also long';
    const written = writeLinkToken(createSecrets(old), claim);
    assert.ok(isGenuine(written, claim.fileId, createSecrets('a new secret that is long enough', old)));
    assert.equal(isGenuine(written, claim.fileId, createSecrets('a new secret that is long enough')), false);
  });
});
