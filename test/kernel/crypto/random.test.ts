// Codes are uniform and keep leading zeros; tokens and ids have their full length and never repeat.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { codeKeys, deriveCode } from '../../../src/auth/codes/challenge.ts';
import { deriveLinkToken } from '../../../src/auth/links/login-link.ts';
import { newSeed, writeRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { isFileId, newFileId } from '../../../src/files/stored-file.ts';
import { firstIdAt, newId, randomPart, randomText } from '../../../src/kernel/crypto/random.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';

const secrets = createSecrets('a secret of this test alone, long enough');
const subject = { purpose: 'phone-login', recipient: asPhone('+12025550123') } as const;

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
      deriveCode(codeKeys(secrets), challenge, { ...subject, recipient: asPhone('+12025550124') }),
      deriveCode(codeKeys(secrets), challenge, { ...subject, purpose: 'proof-phone' }),
      deriveCode(codeKeys(secrets), challenge, { ...subject, userId: asUserId('ann') }),
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
        () => writeRefreshToken(secrets, { sessionId: asSessionId(newId()), seed: newSeed(), counter: 0 }),
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

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the first id of a moment', () => {
  for (const [milliseconds, expected] of [
    [0, '00000000-0000-7000-8000-000000000000'],
    [1, '00000000-0001-7000-8000-000000000000'],
    [0xffff, '00000000-ffff-7000-8000-000000000000'],
    [0x10000, '00000001-0000-7000-8000-000000000000'],
    [Date.UTC(2031, 4, 5, 12), '01c2b39e-9e00-7000-8000-000000000000'],
    [-5, '00000000-0000-7000-8000-000000000000'],
    [1.9, '00000000-0001-7000-8000-000000000000'],
  ] as const) {
    it(`at ${milliseconds} ms it is ${expected}`, () => assert.equal(firstIdAt(milliseconds), expected));
  }

  it('it is in the order of time, has the form of an id, and lies before every id of its millisecond', () => {
    const time = fc.integer({ min: 0, max: 2 ** 45 });
    const property = fc.property(time, time, (a, b) => {
      assert.equal(firstIdAt(a) < firstIdAt(b), a < b);
      assert.match(firstIdAt(a), form);
    });
    fc.assert(property, { seed, numRuns: 200 });
    const id = newId();
    const madeAt = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    assert.ok(firstIdAt(madeAt) <= id && id < firstIdAt(madeAt + 1));
  });
});

describe('random texts and bytes', () => {
  it('a text of 32 bytes has 43 characters of base64url, and none repeats across refills of the buffer', () => {
    const texts = Array.from({ length: 1000 }, () => randomText(32));
    for (const text of texts) assert.match(text, /^[\w-]{43}$/);
    assert.equal(new Set(texts).size, texts.length);
  });

  it('random bytes are a copy that later calls do not change', () => {
    const part = randomPart(16);
    const before = Buffer.from(part);
    for (let round = 0; round < 600; round++) randomPart(16);
    assert.deepEqual(part, before);
    assert.equal(part.length, 16);
  });

  it('bytes are used once: two parts taken one after the other differ', () => {
    const parts = Array.from({ length: 1000 }, () => randomPart(8).toString('hex'));
    assert.equal(new Set(parts).size, parts.length);
  });
});

function bitsOf(byte: number): number {
  return byte.toString(2).replaceAll('0', '').length;
}
