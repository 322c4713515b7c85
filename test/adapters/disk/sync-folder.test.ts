// The shared sync of a folder: whoever asks gets a sync that began after the question, and many get the same one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSharedSync } from '../../../src/adapters/disk/sync-folder.ts';
import { settled } from '../../helpers/upload-stage.ts';

describe('the shared sync of a folder', () => {
  function stage() {
    const syncs: PromiseWithResolvers<void>[] = [];
    const done: string[] = [];
    const sync = createSharedSync('folder', () => {
      const begun = Promise.withResolvers<void>();
      syncs.push(begun);
      return begun.promise;
    });
    const ask = (name: string) =>
      void sync().then(
        () => done.push(name),
        () => done.push(`${name} failed`),
      );
    return { syncs, done, ask };
  }

  it('calls that come during a sync wait for the next one, all for the same', async () => {
    const { syncs, done, ask } = stage();
    ask('a');
    await settled();
    ask('b');
    ask('c');
    await settled();
    assert.equal(syncs.length, 1);
    syncs[0]?.resolve();
    await settled();
    assert.deepEqual([done, syncs.length], [['a'], 2]);
    ask('d');
    syncs[1]?.resolve();
    await settled();
    assert.deepEqual([done, syncs.length], [['a', 'b', 'c'], 3]);
    syncs[2]?.resolve();
    await settled();
    assert.deepEqual(done, ['a', 'b', 'c', 'd']);
  });

  it('a sync that fails is told to those who waited for it, and not to the next', async () => {
    const { syncs, done, ask } = stage();
    ask('a');
    await settled();
    ask('b');
    syncs[0]?.reject(new Error('no disk'));
    await settled();
    syncs[1]?.resolve();
    await settled();
    assert.deepEqual(done, ['a failed', 'b']);
  });
});
