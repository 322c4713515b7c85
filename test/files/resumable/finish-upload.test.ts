// The end of an upload in several requests: one pipeline with plain uploads, one attempt at a time, and what is left after a failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cancelUpload } from '../../../src/files/resumable/cancel-upload.ts';
import { showUpload } from '../../../src/files/resumable/show-upload.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { unavailable } from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { smallestFailure } from '../../helpers/smallest-details.ts';
import { stageUploads } from '../../helpers/uploads/resumable-stage.ts';
import { settled } from '../../helpers/uploads/upload-stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

describe('the finish of an upload', () => {
  it('an upload is assembled, examined, kept and settled, and its parts go after the answer', async () => {
    const { create, calls, content, parts, resumables } = stageUploads();
    await create('whole', { isComplete: true });
    await settled();
    const order = calls.filter((call) => !/^(flush|advanced|close)/.test(call));
    const last = ['settle', 'discard', 'leave', 'remove parts', 'forget parts'];
    assert.deepEqual(order, ['create', 'begin', 'enter 5', 'assemble', 'examine', ...last]);
    assert.deepEqual([content(), parts.contents.size, resumables.parts.size], [['whole'], 0, 0]);
  });

  it('a refused content ends the upload: parts and reservation go', async () => {
    const examine = () => Promise.reject(new Failure('FILE_CORRUPT'));
    const { create, newest, parts, append } = stageUploads({ examiner: { examine } });
    const detail = { uploadOffset: 5, isUploadComplete: true };
    await assert.rejects(create('whole', { isComplete: true }), { code: 'FILE_CORRUPT', detail });
    await settled();
    assert.deepEqual([newest(), parts.contents.size], [undefined, 0]);
    await assert.rejects(append(5, '', { isComplete: true }), { code: 'UPLOAD_NOT_FOUND' });
  });

  it('an upload whose bytes are gone from the storage ends, so that its client begins again and does not wait for a day', async () => {
    const stage = stageUploads();
    await stage.create('who');
    stage.parts.contents.clear();
    const detail = { uploadOffset: 5, isUploadComplete: true };
    await assert.rejects(stage.append(3, 'le', { isComplete: true }), { code: 'UPLOAD_NOT_FOUND', detail });
    assert.equal(stage.newest(), undefined);
  });

  for (const code of ['STORAGE_UNAVAILABLE', 'STORAGE_FULL', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED'] as const) {
    it(`a passing ${code} leaves the upload with all its bytes, and the next attempt stores it`, async () => {
      const refusal = smallestFailure(code);
      let isAway = true;
      const { keep } = stageUploads().blobs;
      const stage = stageUploads({
        blobs: { keep: (...given) => (isAway ? Promise.reject(refusal) : keep(...given)) },
      });
      const detail = { ...refusal.detail, uploadOffset: 5, isUploadComplete: false };
      await assert.rejects(stage.create('whole', { isComplete: true }), { code, detail });
      assert.deepEqual([stage.newest()?.received, stage.newest()?.finisher], [5, undefined]);
      isAway = false;
      assert.equal((await stage.append(5, '', { isComplete: true })).kind, 'stored');
    });
  }

  it('an error that no rule made leaves the upload too', async () => {
    const examine = () => Promise.reject(new TypeError('a mistake'));
    const { create, newest } = stageUploads({ examiner: { examine } });
    await assert.rejects(create('whole', { isComplete: true }), TypeError);
    assert.equal(newest()?.received, 5);
  });

  it('an upload that finds no room on the local disk waits for another attempt', async () => {
    const enter = () => {
      throw new Failure('FILE_QUOTA_EXCEEDED');
    };
    const { create, newest } = stageUploads({ enter });
    await assert.rejects(create('whole', { isComplete: true }), { code: 'STORAGE_UNAVAILABLE' });
    assert.equal(newest()?.received, 5);
  });

  it('a storage that hangs while the parts are read ends the attempt, and a late spool is discarded', async () => {
    const { promise: going, resolve: goOn } = Promise.withResolvers<void>();
    const stage = stageUploads({ times: { keepMilliseconds: 20, keepMillisecondsPerMebibyte: 0 } });
    const { assemble } = stage.parts;
    Object.assign(stage.parts, {
      assemble: async (...given: Parameters<typeof assemble>) => going.then(() => assemble(...given)),
    });
    await assert.rejects(stage.create('whole', { isComplete: true }), { code: 'STORAGE_UNAVAILABLE' });
    goOn();
    await settled();
    assert.ok(stage.calls.includes('discard'));
  });
});

describe('an upload that is being stored', () => {
  /** The examination waits. */
  function stageSlowly() {
    const { promise: going, resolve: goOn, reject: fail } = Promise.withResolvers<void>();
    const { promise: isExamined, resolve: examining } = Promise.withResolvers<void>();
    const examine = async () => {
      examining();
      await going;
      throw unavailable();
    };
    return { stage: stageUploads({ examiner: { examine }, times: { leaseMilliseconds: 30 } }), isExamined, goOn, fail };
  }

  it('requests on the same node wait for the same attempt, also after the first client disconnected', async () => {
    const client = new AbortController();
    const { stage, isExamined, fail } = stageSlowly();
    const first = stage.create('whole', { isComplete: true, signal: client.signal });
    first.catch(() => undefined);
    await isExamined;
    client.abort();
    const second = stage.append(5, '', { isComplete: true });
    second.catch(() => undefined);
    await settled();
    fail(new Failure('FILE_CORRUPT'));
    for (const each of [first, second]) await assert.rejects(each, { code: 'FILE_CORRUPT' });
    assert.equal(stage.calls.filter((call) => call === 'assemble').length, 1);
  });

  it('its lease is renewed; another node is told to wait; it cannot be cancelled, and its state can be read', async () => {
    const { stage, isExamined, goOn } = stageSlowly();
    const first = stage.create('whole', { isComplete: true });
    first.catch(() => undefined);
    await isExamined;
    await waitUntil('the lease is renewed', () => stage.calls.includes('hold'));
    const otherNode = stageUploads();
    const deps = { ...otherNode.deps, resumables: stage.resumables };
    const asked = { uploadId: stage.created[0] ?? '', userId: asUserId('ann') };
    const { resumables } = stage;
    Object.assign(otherNode.deps, { resumables });
    otherNode.created.push(asked.uploadId);
    const detail = { retryAfterSeconds: 1, uploadOffset: 5, isUploadComplete: false };
    await assert.rejects(otherNode.append(5, '', { isComplete: true }), { code: 'UPLOAD_IN_PROGRESS', detail });
    await assert.rejects(otherNode.append(5, 'more'), { code: 'UPLOAD_IN_PROGRESS', detail });
    await assert.rejects(otherNode.append(4, 'e'), { code: 'UPLOAD_OFFSET_WRONG' });
    await assert.rejects(cancelUpload(deps, asked), { code: 'UPLOAD_IN_PROGRESS' });
    assert.equal((await showUpload(deps, asked)).upload.received, 5);
    goOn();
    await assert.rejects(first, { code: 'STORAGE_UNAVAILABLE' });
  });

  it('an attempt whose lease another node has taken gives up, and ends nothing', async () => {
    const { stage, isExamined } = stageSlowly();
    const first = stage.create('whole', { isComplete: true });
    first.catch(() => undefined);
    await isExamined;
    const upload = stage.newest();
    assert.ok(upload);
    stage.resumables.uploads.set(upload.id, { ...upload, finisher: 'other node' });
    await assert.rejects(first, { code: 'UPLOAD_IN_PROGRESS' });
    assert.equal(stage.newest()?.finisher, 'other node');
  });
});
