// Codes are uniform and keep leading zeros; tokens and ids have their full length and never repeat.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeKeys, deriveCode } from '../../src/auth/challenge.ts';
import { deriveLinkToken } from '../../src/auth/login-link.ts';
import { newSeed, writeRefreshToken } from '../../src/auth/refresh-token.ts';
import { isFileId, newFileId } from '../../src/files/stored-file.ts';
import { newId, randomText } from '../../src/kernel/random.ts';
import { createSecrets } from '../../src/kernel/secrets.ts';

const secrets = createSecrets('a secret of this test alone, long enough');
const subject = { purpose: 'phone-login', recipient: '+12025550123' } as const;

describe('randomness', () => {
  it('every digit is equally likely at every place of a code, leading zeros included', () => {
    const count = 20_000;
    const seen = Array.from({ length: 6 }, () => new Array<number>(10).fill(0));
    for (let round = 0; round < count; round++) {
      // The seeds are fixed, so the codes are the same in every run and the test passes always or never.
      const code =
        deriveCode(codeKeys(secrets), { id: `id ${round}`, nonce: 'nonce', secretId: secrets.currentId }, subject) ??
        '';
      assert.match(code, /^\d{6}$/);
      for (const [place, digit] of [...code].entries()) {
        const row = seen[place] ?? assert.fail();
        row[Number(digit)] = (row[Number(digit)] ?? 0) + 1;
      }
    }
    const expected = count / 10;
    for (const row of seen) {
      const chiSquare = row.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0);
      // Nine degrees of freedom: chance exceeds 27.88 once in a thousand.
      assert.ok(chiSquare < 27.88, `${row.join(' ')}: ${chiSquare}`);
    }
  });

  it('a code depends on its challenge, recipient, purpose and user', () => {
    const challenge = { id: 'id', nonce: 'nonce', secretId: secrets.currentId };
    const codes = [
      deriveCode(codeKeys(secrets), challenge, subject),
      deriveCode(codeKeys(secrets), { ...challenge, id: 'other' }, subject),
      deriveCode(codeKeys(secrets), { ...challenge, nonce: 'other' }, subject),
      deriveCode(codeKeys(secrets), challenge, { ...subject, recipient: '+12025550124' }),
      deriveCode(codeKeys(secrets), challenge, { ...subject, purpose: 'email-binding' }),
      deriveCode(codeKeys(secrets), challenge, { ...subject, userId: 'ann' }),
    ];
    assert.equal(new Set(codes).size, codes.length);
    assert.equal(deriveCode(codeKeys(secrets), { ...challenge, secretId: 'ffff' }, subject), undefined);
  });

  it('tokens and ids never repeat and have their full length', () => {
    const makers: Readonly<Record<string, [() => string, RegExp]>> = {
      'file id': [newFileId, /^fil_[\w-]{22}$/],
      'user or session id': [newId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
      'sign-in link': [() => deriveLinkToken(secrets, secrets.currentId, newId(), randomText(32)) ?? '', /^[\w-]{43}$/],
      'refresh token': [
        () => writeRefreshToken(secrets, { sessionId: newId(), seed: newSeed(), counter: 0 }),
        /^[\w-]{74}$/,
      ],
    };
    for (const [name, [make, form]] of Object.entries(makers)) {
      const made = Array.from({ length: 4000 }, make);
      assert.ok(
        made.every((text) => form.test(text)),
        `${name}: ${made[0]}`,
      );
      assert.equal(new Set(made).size, made.length, name);
    }
    assert.ok(isFileId(newFileId()));
    const ids = Array.from({ length: 4000 }, newId);
    assert.deepEqual(ids, ids.toSorted(), 'ids made in one millisecond keep their order');
    const bits = Array.from({ length: 4000 }, newSeed);
    const ones = bits.reduce((sum, seed) => sum + seed.reduce((count, byte) => count + bitsOf(byte), 0), 0);
    const all = bits.length * 128;
    // Six standard deviations: chance exceeds this in one run of 500 million.
    assert.ok(Math.abs(ones - all / 2) < 3 * Math.sqrt(all), `${ones} of ${all} bits are set`);
  });
});

function bitsOf(byte: number): number {
  return byte.toString(2).replaceAll('0', '').length;
}
