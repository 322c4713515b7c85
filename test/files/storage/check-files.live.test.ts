// A check of files by hand: records without whole blobs, blobs without records, and the repair.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { checkFiles, removeAllAdrift } from '../../../src/files/storage/check-files.ts';
import { keepBytes, listIds, makeOld, someBytes } from '../../helpers/blobs/blobs.ts';
import { newUser, store } from '../../helpers/store/file-fixtures.ts';
import { onEveryStore } from '../../helpers/store/test-store.ts';

onEveryStore('a check of files', (open) => {
  const now = Date.now();
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-check-'));
  const blobs = createDiskBlobs(root);
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const deps = (changed: Partial<BlobStore> = {}) => ({
    files: open().ports.files,
    sweeps: open().ports.sweeps,
    blobs: { ...blobs, ...changed },
    clock: { now: () => now },
    log,
  });
  const recorded = async () => {
    const { id } = await store(open().ports, await newUser(open().ports, now), now, { file: { size: 7 } });
    return id;
  };
  const whole = async () => {
    const id = await recorded();
    await keepBytes(blobs, someBytes(7), id);
    makeOld(root);
    return id;
  };
  const orphan = async (count: number) => {
    const ids = await Promise.all(Array.from({ length: count }, () => keepBytes(blobs, someBytes(5))));
    makeOld(root);
    return ids;
  };
  after(() => rmSync(root, { recursive: true, force: true }));

  it('a check by hand works in both directions, reports young blobs apart, and repair removes only old ones', async () => {
    const kept = await whole();
    const missing = [await recorded(), await recorded()].toSorted();
    const cut = await recorded();
    await keepBytes(blobs, someBytes(6), cut);
    const old = await orphan(3);
    const young = await keepBytes(blobs, someBytes(1));
    const check = await checkFiles(deps());
    assert.deepEqual(check, {
      records: 4,
      blobs: 6,
      young: 1,
      missingCount: 3,
      adriftCount: 3,
      missing: [...missing, cut].toSorted(),
      adrift: old.toSorted(),
    });
    assert.equal(await removeAllAdrift(deps(), () => undefined), 3);
    assert.deepEqual(await listIds(blobs), [kept, cut, young].toSorted());
    // Stored or deleted between the list and the page of records.
    const list = () => (async function* () {})();
    const other = await checkFiles(deps({ list, read: async () => blobs.read(kept, { start: 0, end: -1 }, 7) }));
    assert.deepEqual([other.records, other.missingCount], [4, 0]);
  });
});
