// The service secrets: their ids, one key for each purpose, and what is found under the current, the previous and a foreign id.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deriveKey } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets, type KeyPurpose } from '../../../src/kernel/crypto/secrets.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const current = 'the current secret, long enough to be one';
const previous = 'the previous secret, long enough to be one';

const purposes: Readonly<Record<KeyPurpose, true>> = {
  'one-time code': true,
  'refresh token': true,
  'signing keys': true,
  captcha: true,
  'sign-in link': true,
  'file link': true,
  'recipient mark': true,
  'ask token': true,
  'device token': true,
  'notice link': true,
  'proof ticket': true,
  'authorization ticket': true,
  'single sign-on': true,
  'browser session': true,
};
const all = Object.keys(purposes) as KeyPurpose[];

describe('the service secrets', () => {
  it('the id of a secret is four hexadecimal digits that depend on the secret alone', () => {
    const { currentId } = createSecrets(current);
    assert.match(currentId, /^[0-9a-f]{4}$/);
    assert.equal(createSecrets(current, previous).currentId, currentId);
    assert.notEqual(createSecrets(previous).currentId, currentId);
  });

  it('the ids are those of the current and the previous secret, in this order', () => {
    const both = createSecrets(current, previous);
    assert.deepEqual(both.ids, [createSecrets(current).currentId, createSecrets(previous).currentId]);
  });

  for (const [what, second] of [
    ['no previous secret', undefined],
    ['a previous secret that is the current one', current],
  ] as const) {
    it(`there is one id with ${what}`, () => {
      const secrets = createSecrets(current, second);
      assert.deepEqual(secrets.ids, [secrets.currentId]);
    });
  }

  it('each purpose has its own key of 32 bytes, derived from the secret', () => {
    const secrets = createSecrets(current);
    const keys = all.map((purpose) => secrets.currentKey(purpose));
    assert.deepEqual(
      keys,
      all.map((purpose) => deriveKey(current, purpose)),
    );
    assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, all.length);
    assert.ok(keys.every((key) => key.length === 32));
  });

  it('the current key is that of the current secret, and the key of the previous secret is found by its id', () => {
    const secrets = createSecrets(current, previous);
    const [currentId = '', previousId = ''] = secrets.ids;
    for (const purpose of all) {
      assert.deepEqual(secrets.currentKey(purpose), deriveKey(current, purpose));
      assert.deepEqual(secrets.findKey(purpose, currentId), deriveKey(current, purpose));
      assert.deepEqual(secrets.findKey(purpose, previousId), deriveKey(previous, purpose));
    }
  });

  it('a previous secret finds the keys of the next one while both are known, and not after', () => {
    const before = createSecrets(previous);
    const during = createSecrets(current, previous);
    const after = createSecrets(current);
    assert.deepEqual(during.findKey('captcha', before.currentId), before.currentKey('captcha'));
    assert.equal(after.findKey('captcha', before.currentId), undefined);
  });

  it('other secrets stand on lines of their own, and all may be replaced while they are in use', () => {
    const secrets = createSecrets(previous);
    const [before, next] = [secrets.currentId, createSecrets(current).currentId];
    secrets.replace(previous, `${previous}\n${current}\n`);
    assert.deepEqual([secrets.currentId, secrets.ids], [before, [before, next]]);
    assert.deepEqual(secrets.findKey('captcha', next), deriveKey(current, 'captcha'));
    secrets.replace(current, `${previous}\n${current}`);
    assert.deepEqual([secrets.currentId, secrets.ids], [next, [next, before]]);
    assert.deepEqual(secrets.currentKey('captcha'), deriveKey(current, 'captcha'));
    secrets.replace(current);
    assert.equal(secrets.findKey('captcha', before), undefined);
  });

  it('a key is derived once and is the same object afterwards', () => {
    const secrets = createSecrets(current);
    assert.equal(secrets.currentKey('captcha'), secrets.currentKey('captcha'));
  });

  it('no other text than an id finds a key', () => {
    const secrets = createSecrets(current, previous);
    const property = fc.property(fc.string(), (text) => {
      fc.pre(!secrets.ids.includes(text));
      assert.equal(secrets.findKey('refresh token', text), undefined);
    });
    fc.assert(property, { seed, numRuns: 200, examples: [[''], [`${secrets.currentId} captcha`], ['0']] });
  });
});
