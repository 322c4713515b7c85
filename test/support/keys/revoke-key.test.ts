// Revoking a signing key: the key that signs is replaced first, and no other key is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeSigningKey, type StoredSigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { revokeKey } from '../../../src/support/keys/revoke-key.ts';

const now = Date.UTC(2031, 4, 5, 12);
const by = { actor: 'cli', why: 'stolen' } as const;
const secrets = createSecrets('the secret of the service, long enough');
const policy = { lifeSeconds: 100, publishAheadSeconds: 10 };

function open(isRemoved = true) {
  const keys = [makeSigningKey(secrets, 1, now - 9, 1), makeSigningKey(secrets, 2, now - 1, 1)];
  const calls: [name: string, input: unknown][] = [];
  const signingKeys = {
    listKeys: async () => [...keys],
    addKey: async ({ by: actor, ...key }: StoredSigningKey & { by?: object }) => {
      calls.push(['add', { generation: key.generation, activeFrom: key.activeFrom, by: actor }]);
      keys.push(key);
      return true;
    },
    removeKey: async (removal: unknown) => {
      calls.push(['remove', removal]);
      return isRemoved;
    },
  };
  return { deps: { signingKeys, secrets, policy, clock: { now: () => now } }, keys, calls };
}

describe('revoking a signing key', () => {
  it('the key that signs is replaced by one that signs at once, and then removed', async () => {
    const { deps, keys, calls } = open();
    const id = keys[1]?.id ?? '';
    const done = await revokeKey(deps, { id, by });
    assert.deepEqual(done, { replacedBy: keys[2]?.id });
    assert.deepEqual(calls, [
      ['add', { generation: 3, activeFrom: now, by }],
      ['remove', { id, by, now }],
    ]);
  });

  it('a key that only verifies is removed without a replacement', async () => {
    const { deps, keys, calls } = open();
    const id = keys[0]?.id ?? '';
    assert.deepEqual(await revokeKey(deps, { id, by }), { replacedBy: undefined });
    assert.deepEqual(calls, [['remove', { id, by, now }]]);
  });

  it('an unknown key changes nothing', async () => {
    const { deps, calls } = open();
    assert.equal(await revokeKey(deps, { id: 'other', by }), undefined);
    assert.deepEqual(calls, []);
  });

  it('a key that another node removed meanwhile counts as unknown', async () => {
    const { deps, keys } = open(false);
    assert.equal(await revokeKey(deps, { id: keys[0]?.id ?? '', by }), undefined);
  });
});
