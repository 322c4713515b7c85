// The sweep of uploads in several requests, and their cancellation: what removes bytes, and what does not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cancelUpload } from '../../../src/files/resumable/cancel-upload.ts';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import { sweepUploads } from '../../../src/files/resumable/sweep-uploads.ts';
import { isTakenOver } from '../../../src/files/resumable/upload-request.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { hangingBody, stageUploads } from '../../helpers/uploads/resumable-stage.ts';
import { settled } from '../../helpers/uploads/upload-stage.ts';

const hour = 3_600_000;

describe('the sweep of uploads', () => {
  it('an upload that waits is left alone; one that expired loses its bytes', async () => {
    const { create, deps, parts, resumables, time } = stageUploads();
    await create('old');
    time.now += hour / 2;
    await create('new');
    time.now += hour / 2;
    assert.deepEqual(await sweepUploads(deps, false), { ended: 1, unknown: 0 });
    assert.deepEqual([...parts.contents.values()].map(String), ['new']);
    assert.deepEqual(
      [...resumables.parts.values()].map(({ bytes }) => bytes),
      [3],
    );
  });

  it('an upload whose bytes cannot be removed keeps no other from its removal', async () => {
    const { create, deps, parts, created, time } = stageUploads();
    for (const content of ['stuck', 'other']) await create(content);
    time.now += hour;
    const remove: typeof parts.remove = (id) =>
      id === created[0] ? Promise.reject(new Error('no permission')) : parts.remove(id);
    const blobs = { ...deps.blobs, parts: { ...parts, remove } };
    await assert.rejects(sweepUploads({ ...deps, blobs }, false), /no permission/);
    assert.deepEqual([...parts.contents.values()].map(String), ['stuck']);
  });

  it('bytes without a record are removed when they are a day old, and only where it was asked to look for them', async () => {
    const { create, deps, parts, created } = stageUploads();
    await create('known');
    const stray = `${newUploadId()}/part`;
    parts.contents.set(stray, Buffer.from('stray'));
    assert.deepEqual(await sweepUploads(deps, false), { ended: 0, unknown: 0 });
    const young = { ...deps, clock: { now: () => 86_400_000 } };
    assert.deepEqual(await sweepUploads(young, true), { ended: 0, unknown: 0 });
    assert.ok(parts.contents.has(stray));
    assert.deepEqual(await sweepUploads(deps, true), { ended: 0, unknown: 1 });
    assert.deepEqual(
      [...parts.contents.keys()].map((key) => key.split('/')[0]),
      created,
    );
  });
});

describe('the cancellation of an upload', () => {
  it('an upload is cancelled by its owner only; its running request is cut and its bytes go', async () => {
    const { create, append, deps, parts, created, newest } = stageUploads();
    await create('abc');
    const { body, taken } = hangingBody('def');
    const running = append(3, '', { bodyLength: undefined, body });
    running.catch(() => undefined);
    await taken;
    const uploadId = created[0] ?? '';
    await assert.rejects(cancelUpload(deps, { uploadId, userId: asUserId('eve') }), { code: 'UPLOAD_NOT_FOUND' });
    await cancelUpload(deps, { uploadId, userId: asUserId('ann') });
    await assert.rejects(running, isTakenOver);
    await settled();
    assert.deepEqual([newest(), parts.contents.size], [undefined, 0]);
  });

  it('a stored, expired or unknown upload cannot be cancelled', async () => {
    const { create, deps, created, content, time } = stageUploads();
    await create('abc', { isComplete: true });
    await create('abc');
    time.now += hour;
    for (const [uploadId, code] of [
      [created[0], 'UPLOAD_NOT_FOUND'],
      [created[1], 'UPLOAD_EXPIRED'],
      [newUploadId(), 'UPLOAD_NOT_FOUND'],
      ['upl_', 'UPLOAD_NOT_FOUND'],
    ] as const)
      await assert.rejects(cancelUpload(deps, { uploadId: uploadId ?? '', userId: asUserId('ann') }), { code });
    assert.deepEqual(content(), ['abc']);
  });
});
