// Appends that end early: what arrived is kept, a newer request takes over, and a storage that fails loses only what was not durable.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showUpload } from '../../../src/files/resumable/show-upload.ts';
import { isTakenOver } from '../../../src/files/resumable/upload-request.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { unavailable } from '../../helpers/blobs/memory-files.ts';
import { asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { hangingBody, stageUploads } from '../../helpers/uploads/resumable-stage.ts';

describe('a request of an upload that ends early', () => {
  it('what arrived before the client disconnected is kept', async () => {
    const { create, newest, progress } = stageUploads();
    const client = new AbortController();
    const { body, taken } = hangingBody('half');
    const creating = create('', { bodyLength: undefined, body, signal: client.signal });
    await taken;
    client.abort();
    const detail = { uploadOffset: 4, isUploadComplete: false };
    await assert.rejects(creating, { code: 'FILE_INCOMPLETE', detail });
    assert.deepEqual([newest()?.received, progress], [4, [4]]);
  });

  it('what arrived before the body failed is kept', async () => {
    const { create, newest } = stageUploads();
    const { body, taken, fail } = hangingBody('half');
    const creating = create('', { bodyLength: undefined, body });
    await taken;
    fail(new Failure('REQUEST_TIMEOUT'));
    await assert.rejects(creating, { code: 'REQUEST_TIMEOUT' });
    assert.equal(newest()?.received, 4);
  });

  it('a newer request at the recorded offset takes over at once, and the older one records nothing more', async () => {
    const { create, append, newest, content } = stageUploads();
    await create('', { length: 5 });
    const { body, taken } = hangingBody('old');
    const older = append(0, '', { bodyLength: undefined, body });
    older.catch(() => undefined);
    await taken;
    const stored = await append(0, 'newer', { isComplete: true });
    await assert.rejects(older, isTakenOver);
    assert.deepEqual([stored.kind, content(), newest()?.received], ['stored', ['newer'], 5]);
  });

  it('asking for the offset ends the older request, which first keeps what arrived', async () => {
    const { create, append, deps, created } = stageUploads();
    await create('');
    const { body, taken } = hangingBody('half');
    const older = append(0, '', { bodyLength: undefined, body });
    older.catch(() => undefined);
    await taken;
    const uploadId = created[0] ?? '';
    await assert.rejects(showUpload(deps, { uploadId, userId: asUserId('eve') }), { code: 'UPLOAD_NOT_FOUND' });
    const { upload, file } = await showUpload(deps, { uploadId, userId: asUserId('ann') });
    assert.deepEqual([upload.received, upload.writer, file], [4, undefined, undefined]);
    await assert.rejects(older, isTakenOver);
  });

  it('a request on another node that lost the upload learns it at its next step', async () => {
    const { create, append, deps, resumables, created, parts } = stageUploads();
    await create('');
    const { body, taken, fail } = hangingBody('late');
    const older = append(0, '', { bodyLength: undefined, body });
    older.catch(() => undefined);
    await taken;
    const asked = { uploadId: asUploadId(created[0] ?? ''), userId: asUserId('ann'), now: deps.clock.now() };
    await resumables.take({ ...asked, writer: 'other node', offset: 0 });
    fail(new Failure('FILE_INCOMPLETE'));
    await assert.rejects(older, isTakenOver);
    assert.equal(resumables.uploads.get(asked.uploadId)?.received, 0);
    assert.equal(parts.contents.size, 0, 'its bytes take no space');
  });

  it('bytes stay if nobody knows whether they were recorded', async () => {
    const { create, append, resumables, parts } = stageUploads();
    await create('');
    const { advance } = resumables;
    Object.assign(resumables, {
      advance: async (...given: Parameters<typeof advance>) => {
        await advance(...given);
        throw new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });
      },
    });
    await assert.rejects(append(0, 'abc'), { code: 'SERVICE_UNAVAILABLE' });
    assert.deepEqual([...parts.contents.values()].map(String), ['abc']);
  });

  it('a service that stops keeps what arrived and tells the client to go on elsewhere', async () => {
    const { create, append, deps, newest } = stageUploads();
    const { body, taken } = hangingBody('half');
    const creating = create('', { bodyLength: undefined, body });
    creating.catch(() => undefined);
    await taken;
    deps.runningUploads.stop();
    const detail = { retryAfterSeconds: 1, uploadOffset: 4, isUploadComplete: false };
    await assert.rejects(creating, { code: 'SERVICE_STOPPING', detail });
    await assert.rejects(append(4, 'more'), { code: 'SERVICE_STOPPING' });
    assert.equal(newest()?.received, 4);
    await deps.runningUploads.settled(10_000);
  });

  it('a storage that fails or hangs loses what was not durable, and nothing else', async () => {
    for (const flush of [() => Promise.reject(unavailable()), () => new Promise<never>(() => undefined)]) {
      let isAway = false;
      const stage = stageUploads({ times: { keepMilliseconds: 20, stepMilliseconds: 60_000 } });
      const { openWriter } = stage.parts;
      Object.assign(stage.parts, {
        openWriter: (...given: Parameters<typeof openWriter>) => {
          const writer = openWriter(...given);
          const { flush: flushWell } = writer;
          return Object.assign(writer, { flush: () => (isAway ? flush() : flushWell()) });
        },
      });
      await stage.create('ab', { length: 4 });
      isAway = true;
      const detail = { retryAfterSeconds: 5, uploadOffset: 2, isUploadComplete: false };
      await assert.rejects(stage.append(2, 'cd'), { code: 'STORAGE_UNAVAILABLE', detail });
      isAway = false;
      await stage.append(2, 'cd', { isComplete: true });
      assert.deepEqual(stage.content(), ['abcd']);
    }
  });

  it('what a writer holds on the local disk counts there, at most what may follow', async () => {
    const stage = stageUploads({ parts: { spooledBytes: 8 } });
    await stage.create('abcdef', { length: 12 });
    await stage.append(6, 'ghi');
    const counted = stage.calls.filter((call) => /^(enter|leave$)/.test(call));
    assert.deepEqual(counted, ['enter 8', 'leave', 'enter 6', 'leave']);
    const isFull = stageUploads({
      parts: { spooledBytes: 8 },
      enter: () => {
        throw new Failure('FILE_QUOTA_EXCEEDED');
      },
    });
    await assert.rejects(isFull.create('abc'), { code: 'STORAGE_UNAVAILABLE' });
    assert.ok(isFull.newest());
  });
});
