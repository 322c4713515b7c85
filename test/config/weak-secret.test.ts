// Which secrets production refuses as guessable, and that a random one never is.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { weaknessOf } from '../../src/config/weak-secret.ts';

const few = 'has too few different characters';
const known = 'is a placeholder or an example that everybody knows';

const words =
  `abandon anchor arrow balance basket blossom bridge candle canyon carbon castle chimney cliff copper cradle dragon
  eagle ember fabric falcon forest garden glacier hammer harvest island jacket jungle kitchen ladder lantern marble meadow mirror
  nephew noodle ocean orbit oxygen palace pepper pigeon planet puzzle quantum rabbit ribbon river saddle salmon shadow silver
  spider sunset temple thunder tiger tunnel umbrella velvet violin walnut window zebra`.split(/\s+/);

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What people make secrets with. The bytes are random; `sample` chooses a length from the shortest that is accepted. */
const forms: Readonly<Record<string, (bytes: Buffer, sample: number) => string>> = {
  hex: (bytes, sample) => bytes.subarray(0, 16 + (sample % 49)).toString('hex'),
  'hex of 32 digits': (bytes) => bytes.toString('hex', 0, 16),
  'hex in capitals': (bytes) => bytes.toString('hex', 0, 16).toUpperCase(),
  'hex with colons': (bytes) => bytes.toString('hex', 0, 16).match(/../g)?.join(':') ?? '',
  base64: (bytes, sample) => bytes.subarray(0, 24 + (sample % 41)).toString('base64'),
  base64url: (bytes, sample) => bytes.subarray(0, 24 + (sample % 41)).toString('base64url'),
  uuid: (bytes) => bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5'),
  alphanumeric: (bytes, sample) =>
    Array.from(bytes.subarray(0, 32 + (sample % 33)), (byte) => alphanumeric.charAt(byte % 62)).join(''),
  words: (bytes, sample) =>
    Array.from(bytes.subarray(0, 8 + (sample % 5)), (byte) => words[byte % words.length]).join(
      ' -._'.charAt(sample % 5),
    ),
};

describe('a secret that a stranger would try', () => {
  for (const [secret, weakness] of [
    ['a'.repeat(64), few],
    ['abcdefghijk'.repeat(4), few],
    ['12345678901234567890123456789012', few],
    ['deadbeef'.repeat(8), few],
    ['00000000-0000-0000-0000-000000000000', few],
    ['é'.repeat(40), few],
    ['change-me-change-me-change-me-change-me-1', few],
    ['change-me-to-a-long-random-text-please', known],
    ['31415926535897932384626433832795', few],
    ['ChangeMe1234567890abcdefghijklmnopqr', known],
    ['PLEASE-CHANGE-ME-I-AM-VERY-INSECURE', known],
    ['your-super-secret-jwt-token-with-at-least-32-characters-long', known],
    ['MasterkeyNeedsToHave32Characters', known],
    ['replace-with-secure-random-value-here', known],
    ['you_must_generate_a_random_string_of_more_than_twenty_chars', known],
    ['a-string-secret-at-least-256-bits-long', known],
    ['django-insecure-q7x!v0zr3lmpq9svb2wnkc5ydht8gfj1', known],
    ['insert-your-random-string-of-32-bytes', known],
    ['put your unique phrase here, and keep it', known],
    ['toBeModified1,toBeModified2,toBeModified3', known],
    ['UpNVntn3cDxHJpq99YMc1T1AQgQpc8kfYTuRgBiYa15BLrx8etQoXz3gZv1/u2oq', known],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', known],
    ['$(openssl rand -base64 48) from the guide', known],
  ] as const)
    it(`${secret.slice(0, 45)} ${weakness}`, () => assert.equal(weaknessOf(secret), weakness));

  for (const secret of [
    'correct: horse:battery@staple, long enough',
    'Y2hhbmdl-Tm90aGluZw-7f3kQ9zLr0aPq5XbD1c',
    'testQ7xv0Zr3LmPq9sVb2WnKc5YdHt8GfJ1a',
    'fe12dc34ba56fe98fedcba98fe12dc34',
    '0123456789abcdef'.repeat(2),
    'secret-of-the-production-service-2024',
  ])
    it(`${secret} is accepted`, () => assert.equal(weaknessOf(secret), undefined));

  it('a random secret never is, in any usual form and of any length that is accepted', () => {
    for (const [form, write] of Object.entries(forms))
      for (let sample = 0; sample < 10_000; sample += 1) {
        const text = write(hash('sha512', `${form} ${sample}`, 'buffer'), sample);
        if (text.length >= 32) assert.equal(weaknessOf(text), undefined, `${form}: ${text}`);
      }
  });

  it('a secret of any length and content is judged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void weaknessOf(text)),
      { seed: 1 },
    );
  });
});
