// The role of each signing key: the newest active key whose secret is known signs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeSigningKey, type StoredSigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { listKeys } from '../../../src/support/keys/list-keys.ts';

const now = Date.UTC(2031, 4, 5, 12);
const secrets = createSecrets('the secret of the service, long enough');
const others = createSecrets('the secret of another service, long enough');

const key = (generation: number, activeFrom: number, from = secrets) => makeSigningKey(from, generation, activeFrom, 1);
const old = key(1, now - 2);
const current = key(2, now);
const next = key(3, now + 1);
const foreign = key(3, now, others);

async function roles(keys: readonly StoredSigningKey[]) {
  const signingKeys = { listKeys: async () => [...keys], addKey: async () => true, removeKey: async () => true };
  const listed = await listKeys({ signingKeys, secrets, clock: { now: () => now } });
  return listed.map(({ generation, does }) => `${generation} ${does}`);
}

describe('the signing keys', () => {
  for (const [what, keys, expected] of [
    ['none', [], []],
    ['an old, the current and the next one', [old, current, next], ['3 next', '2 signs', '1 verifies']],
    ['only the next one', [next], ['3 next']],
    ['a newer one of another secret', [old, foreign], ['3 verifies', '1 signs']],
    ['one of another secret only', [foreign], ['3 verifies']],
  ] as [string, StoredSigningKey[], string[]][]) {
    it(`with ${what}, the roles are: ${expected.join(', ') || 'none'}`, async () =>
      assert.deepEqual(await roles(keys), expected));
  }

  it('a listed key has neither its private nor its public part', async () => {
    const signingKeys = { listKeys: async () => [current], addKey: async () => true, removeKey: async () => true };
    const [listed = {}] = await listKeys({ signingKeys, secrets, clock: { now: () => now } });
    assert.deepEqual(Object.keys(listed).sort(), ['activeFrom', 'createdAt', 'does', 'generation', 'id']);
  });
});
