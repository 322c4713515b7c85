// Opaque tokens: what was written is read back, nothing else is, and no token contains or changes bytes of another.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyStart, createOpaqueTokens } from '../../../src/kernel/crypto/opaque-token.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';

const secrets = createSecrets('the secret of these tests '.repeat(2));
const bodyLength = bodyStart + 4;
const tokens = createOpaqueTokens<string>({
  purpose: 'ask token',
  bodyLength,
  signed: (body, about) => `${body.toString('hex')} ${about}`,
});
const write = (bytes: readonly number[], by = secrets, version = 1) =>
  tokens.write(by, version, 'ann', ({ body }) => void body.set(bytes, bodyStart));
const read = (text: string | undefined, version = 1, about = 'ann') => {
  const found = tokens.read(secrets, version, about, text)?.body.subarray(bodyStart);
  return found && [...found];
};
const text = write([1, 2, 3, 4]);
const bytes = Buffer.from(text, 'base64url');

describe('an opaque token', () => {
  it('is read as it was written', () => {
    assert.deepEqual(read(text), [1, 2, 3, 4]);
    assert.equal(bytes.toString('hex', 0, bodyStart), `01${secrets.currentId}`);
    assert.equal(bytes.length, bodyLength + 16);
  });

  it('has nothing of the one before it', () => assert.deepEqual(read(write([9])), [9, 0, 0, 0]));

  it('that was read stays as it is while others are written and read', () => {
    const first = tokens.read(secrets, 1, 'ann', text)?.body;
    read(write([5, 6, 7, 8]));
    assert.deepEqual(first, bytes.subarray(0, bodyLength));
  });

  const forged = bytes.map((byte, at) => (at === bodyStart ? byte ^ 1 : byte));
  const cut = bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte));
  const refused: [what: string, text: string | undefined, version?: number, about?: string][] = [
    ['that is missing', undefined],
    ['without characters', ''],
    ['with another byte in its body', Buffer.from(forged).toString('base64url')],
    ['with another byte in its MAC', Buffer.from(cut).toString('base64url')],
    ['of another version', text, 2],
    ['about something else', text, 1, 'bob'],
    ['that is a character too long', `${text}A`],
    ['with a character of another alphabet', `${text.slice(0, 5)}=${text.slice(6)}`],
    ['by a secret that is not accepted', write([1, 2, 3, 4], createSecrets('another secret '.repeat(3)))],
  ];
  for (const [what, given, version, about] of refused)
    it(`${what} is refused`, () => assert.equal(read(given, version, about), undefined));

  it('with another spelling of its last character is refused', () => {
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => text.slice(0, -1) + last)
      .filter((other) => other !== text);
    assert.deepEqual(
      spellings.filter((other) => read(other) !== undefined),
      [],
    );
  });
});
