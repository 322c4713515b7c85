// Removing the bytes of deleted files: at the first failure the rest is noted for later, and nothing is ever thrown.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeBlobs } from '../../src/files/remove-blobs.ts';
import { clock, memoryBlobs, noon, unavailable } from '../helpers/memory-files.ts';

function stage(broken: string | undefined, canNote = true) {
  const tried: string[] = [];
  const noted: unknown[] = [];
  const remove = async (id: string) => {
    tried.push(id);
    if (id === broken) throw unavailable();
  };
  const noteOwn = async (input: unknown) => {
    noted.push(input);
    if (!canNote) throw new Error('no database');
  };
  return { deps: { blobs: memoryBlobs({}, { remove }), clock, sweeps: { noteOwn } }, tried, noted };
}

describe('removing the bytes of deleted files', () => {
  for (const [name, broken, tried, left] of [
    ['all are removed, in order', undefined, ['a', 'b', 'c'], []],
    ['none is tried after the first failure, and all are noted', 'a', ['a'], ['a', 'b', 'c']],
    ['the one that failed and those after it are noted', 'b', ['a', 'b'], ['b', 'c']],
    ['a failure of the last one is noted alone', 'c', ['a', 'b', 'c'], ['c']],
  ] as const) {
    it(name, async () => {
      const { deps, ...seen } = stage(broken);
      assert.deepEqual(await removeBlobs(deps, ['a', 'b', 'c']), left);
      assert.deepEqual(seen, { tried, noted: left.length === 0 ? [] : [{ ids: left, now: noon }] });
    });
  }

  it('no ids need neither storage nor database', async () => {
    const { deps, ...seen } = stage('a');
    assert.deepEqual(await removeBlobs(deps, []), []);
    assert.deepEqual(seen, { tried: [], noted: [] });
  });

  it('nothing is thrown if the rest cannot even be noted', async () => {
    const { deps, noted } = stage('a', false);
    assert.deepEqual(await removeBlobs(deps, ['a']), ['a']);
    assert.equal(noted.length, 1);
  });
});
