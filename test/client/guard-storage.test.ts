// A storage of tokens that is full, blocked or broken: what it does not take stays in memory, and newer values of other tabs win.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { guardStorage } from '../../client/src/guard-storage.ts';
import { memoryStorage, type Storage } from '../../client/src/storage.ts';

type Fault = 'none' | 'full' | 'blocked';

function open(how: 'sync' | 'async') {
  const inner = memoryStorage();
  let fault: Fault = 'none';
  const fail = () => {
    const error = new Error('QuotaExceededError');
    if (how === 'sync') throw error;
    return Promise.reject(error);
  };
  const shaky: Storage = {
    get: (key) => (fault === 'blocked' ? fail() : inner.get(key)),
    set: (key, value) => (fault === 'none' ? inner.set(key, value) : fail()),
    remove: (key) => (fault === 'blocked' ? fail() : inner.remove(key)),
  };
  const errors: GatehouseError[] = [];
  const storage = guardStorage(shaky, (error) => void errors.push(error));
  const become = (next: Fault) => {
    fault = next;
  };
  return { inner, storage, errors, become };
}

for (const how of ['sync', 'async'] as const)
  describe(`a storage of tokens that fails, ${how}`, () => {
    it('is used as it is while it works', async () => {
      const { inner, storage, errors } = open(how);
      assert.equal(await storage.get('a'), undefined);
      await storage.set('a', '1');
      assert.equal(await inner.get('a'), '1');
      assert.equal(await storage.get('a'), '1');
      await storage.remove('a');
      assert.equal(await storage.get('a'), undefined);
      assert.deepEqual(errors, []);
    });

    for (const fault of ['full', 'blocked'] as const) {
      it(`keeps in memory what it does not take while it is ${fault}, and tells`, async () => {
        const { inner, storage, errors, become } = open(how);
        await storage.set('a', '1');
        become(fault);
        await storage.set('a', '2');
        assert.equal(await storage.get('a'), '2');
        assert.deepEqual(
          errors.map(({ name, code, status }) => [name, code, status]),
          [['GatehouseError', 'SESSION_STORAGE_FAILED', 0]],
        );
        become('none');
        assert.equal(await storage.get('a'), '2');
        await storage.set('a', '3');
        assert.equal(await inner.get('a'), '3');
        assert.equal(await storage.get('a'), '3');
      });

      it(`remembers what it could not remove while it was ${fault}`, async () => {
        const { storage, become } = open(how);
        await storage.set('a', '1');
        become(fault);
        await storage.remove('a');
        assert.equal(await storage.get('a'), undefined);
        become('none');
        assert.equal(await storage.get('a'), undefined);
      });
    }

    it('keeps no value of before that an earlier user may have had, where it is full', async () => {
      const { inner, storage, become } = open(how);
      await storage.set('a', '1');
      become('full');
      await storage.set('a', '2');
      assert.equal(await inner.get('a'), undefined);
    });

    it('fails no call where the callback of the app fails', async () => {
      const full: Storage = { ...memoryStorage(), set: () => assert.fail('full') };
      const storage = guardStorage(full, () => assert.fail('the callback'));
      await storage.set('a', '1');
      assert.equal(await storage.get('a'), '1');
    });

    it('gives way to what another tab has written since', async () => {
      const { inner, storage, become } = open(how);
      await storage.set('a', '1');
      become('full');
      await storage.set('a', '2');
      await inner.set('a', '3');
      assert.equal(await storage.get('a'), '3');
      await inner.set('a', '1');
      assert.equal(await storage.get('a'), '1');
    });

    it('fails with a clear code if it cannot be read and nothing is in memory', async () => {
      const { storage, become } = open(how);
      become('blocked');
      await assert.rejects(async () => storage.get('a'), { name: 'GatehouseError', code: 'SESSION_STORAGE_FAILED' });
    });
  });
