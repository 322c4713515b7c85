// Uploads in several requests from end to end, on every database and on a real disk: stored once, and nothing is left behind.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import { appendUpload } from '../../../src/files/resumable/append-upload.ts';
import { cancelUpload } from '../../../src/files/resumable/cancel-upload.ts';
import { createUpload } from '../../../src/files/resumable/create-upload.ts';
import { showUpload } from '../../../src/files/resumable/show-upload.ts';
import { sweepUploads } from '../../../src/files/resumable/sweep-uploads.ts';
import { makeFolder, readWhole } from '../../helpers/blobs/blobs.ts';
import { newUser } from '../../helpers/store/file-fixtures.ts';
import { onEveryStore } from '../../helpers/store/test-store.ts';
import { bodyOf, stageUploads } from '../../helpers/uploads/resumable-stage.ts';

onEveryStore('uploads in several requests', (open) => {
  const root = makeFolder();

  /** All use cases on the real store and disk, at a time that the test moves. */
  async function stage() {
    const blobs = createDiskBlobs(root);
    const { ports } = open();
    const time = { now: Date.now() };
    const userId = await newUser(ports, time.now);
    const { files, resumables } = ports;
    const deps = { ...stageUploads().deps, blobs, files, resumables, clock: { now: () => time.now } };
    const request = (content: string, isComplete: boolean) => ({
      arrivedAt: performance.now(),
      isComplete,
      length: undefined,
      digests: [],
      bodyLength: content.length,
      body: () => bodyOf(content),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    const facts = { userId, purpose: 'large', name: 'a.txt', declaredType: 'text/plain', digest: undefined };
    const create = async (content: string) => {
      const none = { idempotencyKey: undefined, onCreated: () => undefined };
      const step = await createUpload(deps, { ...request(content, false), ...facts, ...none });
      assert.ok(step.kind === 'open');
      return step.upload.id;
    };
    const append = (uploadId: string, offset: number, content: string, isComplete: boolean) =>
      appendUpload(deps, { ...request(content, isComplete), uploadId, userId, offset });
    return { deps, userId, time, create, append, files, blobs };
  }
  const uploadsOnDisk = () => readdirSync(`${root}/uploads`);

  it('an upload is appended, shown, stored once, and repeated; its parts go', async () => {
    const { deps, userId, create, append, files, blobs } = await stage();
    const uploadId = await create('one ');
    await append(uploadId, 4, 'two ', false);
    assert.equal((await showUpload(deps, { uploadId, userId })).upload.received, 8);
    const stored = await append(uploadId, 8, 'three', true);
    assert.ok(stored.kind === 'stored');
    assert.equal((await readWhole(blobs, stored.file.id, 13)).toString(), 'one two three');
    const again = await append(uploadId, 13, '', true);
    assert.deepEqual([again.kind, again.kind === 'stored' && again.file.id], ['stored', stored.file.id]);
    assert.deepEqual(await files.usage(userId), { bytes: 13, files: 1 });
    assert.equal((await showUpload(deps, { uploadId, userId })).file?.id, stored.file.id);
    await deps.runningUploads.settled(60_000);
    assert.deepEqual(uploadsOnDisk(), []);
  });

  it('an upload that expires is told so, and its bytes go with the sweep; a cancelled one loses them at once', async () => {
    const { deps, userId, time, create, append } = await stage();
    const [expiring, cancelled] = [await create('abc'), await create('def')];
    await cancelUpload(deps, { uploadId: cancelled, userId });
    await deps.runningUploads.settled(60_000);
    assert.deepEqual(uploadsOnDisk(), [expiring]);
    await assert.rejects(append(cancelled, 3, 'x', false), { code: 'UPLOAD_NOT_FOUND' });
    time.now += 3_600_001;
    await assert.rejects(append(expiring, 3, 'x', false), { code: 'UPLOAD_EXPIRED' });
    await sweepUploads(deps, false);
    assert.deepEqual(uploadsOnDisk(), []);
    await assert.rejects(showUpload(deps, { uploadId: expiring, userId }), { code: 'UPLOAD_EXPIRED' });
  });
});
