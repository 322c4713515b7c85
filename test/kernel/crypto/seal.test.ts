// Sealed texts: only the secret and the purpose that sealed them open them, and nothing that was changed opens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seal, unseal } from '../../../src/kernel/crypto/seal.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';

const oldSecret = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const plain = Buffer.from('a small text');
const sealed = seal(secrets, 'proof ticket', plain);

describe('a sealed text', () => {
  it('a sealed text opens with its secret and purpose, and is never the same twice', () => {
    assert.deepEqual(unseal(secrets, 'proof ticket', sealed), plain);
    assert.notEqual(seal(secrets, 'proof ticket', plain), sealed);
    assert.ok(!Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes(plain));
  });

  it('a sealed text of the previous secret opens, and one of a forgotten secret or another purpose does not', () => {
    assert.deepEqual(unseal(secrets, 'proof ticket', seal(createSecrets(oldSecret), 'proof ticket', plain)), plain);
    assert.equal(unseal(createSecrets(oldSecret), 'proof ticket', sealed), undefined);
    assert.equal(unseal(secrets, 'signing keys', sealed), undefined);
  });

  const [id = '', iv = '', body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  const flipped = Buffer.from(bytes);
  flipped[0] = flipped.readUInt8(0) ^ 1;
  const broken: [what: string, text: string][] = [
    ['nothing', ''],
    ['no parts', 'hello'],
    ['no content', `${id}.${iv}`],
    ['another content', `${id}.${iv}.${flipped.toString('base64url')}`],
    ['content cut off', `${id}.${iv}.${bytes.subarray(0, -1).toString('base64url')}`],
    ['a tag that is too short', `${id}.${iv}.${bytes.subarray(0, 4).toString('base64url')}`],
    ['another nonce', `${id}.${Buffer.alloc(12).toString('base64url')}.${body}`],
    ['padding', `${id}.${iv}.${body}=`],
    ['padding of the nonce', `${id}.${iv}=.${body}`],
    ['another sign in the nonce', `${id}.!${iv}.${body}`],
    ['a fourth part', `${sealed}.x`],
    ['an empty fourth part', `${sealed}.`],
    ['no nonce', `${id}..${body}`],
  ];
  for (const [what, text] of broken)
    it(`a sealed text with ${what} does not open`, () =>
      assert.equal(unseal(secrets, 'proof ticket', text), undefined));
});
