// Parts of uploads on disk: one whole part becomes the file without a copy where that is safe, and no sweep takes it for a leftover.

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDiskParts } from '../../../src/adapters/disk/disk-parts.ts';
import { createSpool, sweepFolder } from '../../../src/adapters/disk/spool.ts';
import type { UploadPartInfo } from '../../../src/files/resumable/part-store.ts';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import type { UploadId } from '../../../src/kernel/ids.ts';
import { failsWith, makeFolder } from '../../helpers/blobs/blobs.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

describe('the parts of an upload on disk', () => {
  const root = makeFolder();
  const spools = join(root, 'spool');

  /** One part, written by one request. */
  async function write(content: string, length: number | undefined) {
    const uploadId = newUploadId();
    const writer = createDiskParts(root, spools).openWriter(uploadId, 0, length);
    await writer.write(Buffer.from(content));
    const parts = await writer.flush();
    await writer.close(writer.size);
    return { uploadId, parts, path: join(root, 'uploads', uploadId, parts[0]?.id ?? '') };
  }

  /** Whether the assembled file has the same bytes on disk as the part, and its content. */
  async function assemble(
    uploadId: UploadId,
    parts: readonly UploadPartInfo[],
    path: string,
    store = createDiskParts(root, spools),
  ) {
    const spool = await store.assemble(uploadId, parts);
    const isShared = statSync(spool.path).ino === statSync(path).ino;
    const content = (await spool.reader.read(0, spool.size)).toString();
    await spool.discard();
    return { isShared, content };
  }

  it('one part of an upload with a known length is linked, not copied', async () => {
    const { uploadId, parts, path } = await write('whole', 5);
    assert.deepEqual(await assemble(uploadId, parts, path), { isShared: true, content: 'whole' });
    assert.equal(statSync(path).nlink, 1);
  });

  it('one part is copied if its request did not know the length, or if it is longer than its record: it may still grow', async () => {
    const unbounded = await write('whole', undefined);
    const { isShared, content } = await assemble(unbounded.uploadId, unbounded.parts, unbounded.path);
    assert.deepEqual([isShared, content], [false, 'whole']);
    const longer = await write('whole', 9);
    appendFileSync(longer.path, 'more');
    assert.deepEqual(await assemble(longer.uploadId, longer.parts, longer.path), { isShared: false, content: 'whole' });
  });

  it('one part is copied where files have no links', async () => {
    const { uploadId, parts, path } = await write('whole', 5);
    const withoutLinks = createDiskParts(root, spools, () =>
      Promise.reject(Object.assign(new Error(), { code: 'EPERM' })),
    );
    assert.deepEqual(await assemble(uploadId, parts, path, withoutLinks), { isShared: false, content: 'whole' });
    assert.deepEqual(readdirSync(spools), []);
  });

  it('an old part that is linked is not swept as an abandoned spool', async () => {
    const { uploadId, parts, path } = await write('whole', 5);
    utimesSync(path, 1000, 1000);
    const spool = await createDiskParts(root, spools).assemble(uploadId, parts);
    assert.equal(await sweepFolder(spools, Date.now() - 300_000), 0);
    await spool.discard();
  });

  it('a spool that is worked on for long stays fresh until it is discarded', async () => {
    const path = join(spools, 'long');
    writeFileSync(path, 'x');
    const spool = createSpool(path, await open(path, 'r+'), 1, { everyMilliseconds: 1 });
    utimesSync(path, 1000, 1000);
    await waitUntil('the time of the spool is renewed', () => statSync(path).mtimeMs > 2_000_000);
    await spool.discard();
  });

  it('a part that is gone with its whole disk may come back with it', async () => {
    const { uploadId, parts, path } = await write('whole', 5);
    rmSync(path);
    await failsWith('STORAGE_UNAVAILABLE', createDiskParts(root, spools).assemble(uploadId, parts));
  });

  it('a disk that fails is a failure of the storage', async () => {
    const uploadId = newUploadId();
    mkdirSync(join(root, 'uploads'), { recursive: true });
    writeFileSync(join(root, 'uploads', uploadId), 'no folder');
    const store = createDiskParts(root, spools);
    await failsWith('STORAGE_UNAVAILABLE', store.openWriter(uploadId, 0, undefined).write(Buffer.from('x')));
    rmSync(join(root, 'uploads', uploadId));
  });
});
