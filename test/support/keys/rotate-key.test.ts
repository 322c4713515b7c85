// Creating the next signing key early: its generation, when it signs, and two nodes at the same time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeSigningKey, type StoredSigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { rotateKey } from '../../../src/support/keys/rotate-key.ts';

const now = Date.UTC(2031, 4, 5, 12);
const by = { actor: 'cli', why: 'drill' } as const;
const secrets = createSecrets('the secret of the service, long enough');
const policy = { lifeSeconds: 100, publishAheadSeconds: 10 };

function open(keys: readonly StoredSigningKey[], isAdded = true) {
  const added: (StoredSigningKey & { by?: object })[] = [];
  const signingKeys = {
    listKeys: async () => [...keys],
    addKey: async (key: StoredSigningKey & { by?: object }) => {
      added.push(key);
      return isAdded;
    },
    removeKey: async () => true,
  };
  return { deps: { signingKeys, secrets, policy, clock: { now: () => now } }, added };
}

const two = [makeSigningKey(secrets, 1, now - 9, 1), makeSigningKey(secrets, 2, now - 1, 1)];

describe('rotating the signing keys', () => {
  for (const [atOnce, activeFrom] of [
    [true, now],
    [false, now + 10_000],
  ] as const) {
    it(`the next generation signs ${atOnce ? 'at once' : 'after it was published for its time'}`, async () => {
      const { deps, added } = open(two);
      const made = await rotateKey(deps, { atOnce, by });
      const [key = assert.fail()] = added;
      assert.deepEqual(made, { id: key.id, activeFrom });
      assert.deepEqual([key.generation, key.activeFrom, key.createdAt, key.by], [3, activeFrom, now, by]);
    });
  }

  it('the first key has the generation 1', async () => {
    const { deps, added } = open([]);
    await rotateKey(deps, { atOnce: true, by });
    assert.equal(added[0]?.generation, 1);
  });

  it('a generation that another node created at the same time is an error that may be retried', () =>
    assert.rejects(rotateKey(open(two, false).deps, { atOnce: true, by }), { code: 'SERVICE_UNAVAILABLE' }));
});
