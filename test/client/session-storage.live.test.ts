// The client with a storage that fails: the session lives on in memory, and no error is anything else than a GatehouseError.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { memoryStorage, type Storage } from '../../client/src/storage.ts';
import { createClient, createSignedIn, openStage, type Stage } from '../helpers/client/stage.ts';

const fail = () => {
  throw new Error('QuotaExceededError');
};

describe('the client with a storage that fails', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('a user signs in, is renewed and signs out with a full storage, and the app is informed', async () => {
    const errors: string[] = [];
    const storage: Storage = { ...memoryStorage(), set: fail };
    const onStorageError = ({ code }: { code: string }) => void errors.push(code);
    const { gatehouse } = await createSignedIn(stage.url, { storage, onStorageError });
    await gatehouse.refresh();
    await gatehouse.refresh();
    await gatehouse.me();
    assert.deepEqual([...new Set(errors)], ['SESSION_STORAGE_FAILED']);
    await gatehouse.signOut();
    assert.equal(await gatehouse.isSignedIn(), false);
  });

  it('a storage that becomes full during a renewal loses no session', async () => {
    const inner = memoryStorage();
    let isFull = false;
    const storage: Storage = { ...inner, set: (key, value) => (isFull ? fail() : inner.set(key, value)) };
    const { gatehouse } = await createSignedIn(stage.url, { storage });
    isFull = true;
    await gatehouse.refresh();
    await gatehouse.me();
    isFull = false;
    await gatehouse.refresh();
    // The next page has only what is stored.
    await createClient(stage.url, { storage }).gatehouse.me();
  });

  it('a storage that cannot be read fails each call with its own code', async () => {
    const { gatehouse } = createClient(stage.url, { storage: { get: fail, set: fail, remove: fail } });
    const failure = { name: 'GatehouseError', code: 'SESSION_STORAGE_FAILED', status: 0 };
    for (const call of [gatehouse.isSignedIn, gatehouse.me, gatehouse.refresh, gatehouse.signOut])
      await assert.rejects(call(), failure);
    await assert.rejects(gatehouse.fetch(`${stage.url}/api/auth/me`), failure);
  });
});
