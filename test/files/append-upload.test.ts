// The use case of an append: what becomes durable, when it is told, who may go on, and what ends the upload.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showUpload } from '../../src/files/show-upload.ts';
import { UploadTakenOver } from '../../src/files/upload-request.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { unavailable } from '../helpers/memory-files.ts';
import { bodyOf, hangingBody, stageUploads } from '../helpers/resumable-stage.ts';
import { settled } from '../helpers/upload-stage.ts';

const mebibyte = 2 ** 20;

describe('an upload in several requests', () => {
  it('bytes of three requests become one file, and each offset is told after it is durable and recorded', async () => {
    const { create, append, calls, progress, content, upload } = stageUploads();
    assert.equal((await create('one ', { length: 13 })).kind, 'open');
    const second = await append(4, 'two ');
    assert.ok(second.kind === 'open' && second.upload.received === 8);
    const last = await append(8, 'three', { isComplete: true });
    assert.ok(last.kind === 'stored');
    assert.deepEqual([last.received, last.file.size, content()], [13, 13, ['one two three']]);
    assert.deepEqual(progress, [4, 8, 13]);
    assert.deepEqual(
      calls.filter((call) => /^(flush|advanced)/.test(call)),
      ['flush 4', 'advanced 4', 'flush 8', 'advanced 8', 'flush 13', 'advanced 13'],
    );
    assert.equal(upload()?.fileId, last.file.id);
  });

  it('a long request is recorded every 8 MiB, also within a chunk', async () => {
    const { create, progress } = stageUploads();
    const chunks = [Buffer.alloc(5 * mebibyte), Buffer.alloc(15 * mebibyte, 1), Buffer.alloc(1)];
    await create('', { bodyLength: undefined, body: () => bodyOf(...chunks) });
    assert.deepEqual(progress, [8 * mebibyte, 16 * mebibyte, 20 * mebibyte + 1]);
  });

  it('a body is read at the pace of the storage: nothing of it while the storage writes', async () => {
    const { create, parts } = stageUploads();
    const chunkBytes = 64 * 1024;
    let [read, written, writes] = [0, 0, 0];
    const { openWriter } = parts;
    Object.assign(parts, {
      openWriter: (...given: Parameters<typeof openWriter>) => {
        const writer = openWriter(...given);
        const { write } = writer;
        const writeSlowly = async (chunk: Buffer) => {
          const before = read;
          await settled();
          assert.equal(read, before);
          await write(chunk);
          written += chunk.length;
          writes += 1;
          assert.ok(
            read * chunkBytes - written <= chunkBytes,
            'what was read is written, but for the chunk that did not fit',
          );
        };
        return Object.assign(writer, { write: writeSlowly });
      },
    });
    const body = async function* () {
      for (; read < 20; ) {
        read += 1;
        yield Buffer.alloc(chunkBytes);
      }
    };
    await create('', { bodyLength: 20 * chunkBytes, body });
    assert.equal(written, 20 * chunkBytes);
    assert.equal(writes, 3, 'in pieces of 512 KiB');
  });

  it('an empty request at the end stores the file, and repeats the answer', async () => {
    const { create, append, content } = stageUploads();
    await create('whole', { length: 5 });
    const stored = await append(5, '', { isComplete: true });
    assert.deepEqual([await append(5, '', { isComplete: true }), content()], [stored, ['whole']]);
    await assert.rejects(append(3, 'le', { isComplete: true }), {
      code: 'UPLOAD_OFFSET_WRONG',
      detail: { uploadOffset: 5, isUploadComplete: false },
    });
  });

  it('an upload without a length ends where its last request ends', async () => {
    const { create, append, content } = stageUploads();
    await create('who', { bodyLength: undefined });
    await append(3, 'le', { isComplete: true, bodyLength: undefined });
    assert.deepEqual(content(), ['whole']);
  });

  for (const [what, offset, said, code, detail, isLeft] of [
    ['another offset', 2, {}, 'UPLOAD_OFFSET_WRONG', { uploadOffset: 3, isUploadComplete: false }, true],
    [
      'the end, before all bytes are there',
      3,
      { isComplete: true, bodyLength: undefined },
      'REQUEST_INVALID',
      { field: 'upload-length', uploadOffset: 4, isUploadComplete: false },
      true,
    ],
    [
      'another length',
      3,
      { length: 6 },
      'REQUEST_INVALID',
      { field: 'upload-length', uploadOffset: 3, isUploadComplete: false },
      true,
    ],
    [
      'more bytes than the length, undeclared',
      3,
      { bodyLength: undefined, body: () => bodyOf('le', '!') },
      'UPLOAD_OFFSET_WRONG',
      { uploadOffset: 3, isUploadComplete: true },
      false,
    ],
  ] as const) {
    it(`a request is refused for ${what}, and the upload ${isLeft ? 'stays' : 'ends'}`, async () => {
      const stage = stageUploads();
      await stage.create('who', { length: 5 });
      await assert.rejects(stage.append(offset, 'l', said), { code, detail });
      assert.equal(stage.upload() !== undefined, isLeft);
      await settled();
      assert.equal(stage.parts.contents.size > 0, isLeft);
    });
  }

  it('unknown, malformed and foreign uploads get the same answer, and an expired one says so', async () => {
    const { create, append, time } = stageUploads();
    await assert.rejects(append(0, ''), { code: 'UPLOAD_NOT_FOUND', detail: {} });
    await create('x');
    await assert.rejects(append(1, 'y', { userId: 'eve' }), { code: 'UPLOAD_NOT_FOUND', detail: {} });
    time.now += 3_600_000;
    await assert.rejects(append(1, 'y'), { code: 'UPLOAD_EXPIRED', detail: {} });
  });

  it('an upload of unknown length that outgrows the quota is refused and keeps what was told', async () => {
    const { create, append, upload, parts } = stageUploads({ quotaBytes: 4 });
    await create('abc', { bodyLength: undefined });
    const detail = { uploadOffset: 3, isUploadComplete: false };
    for (let round = 0; round < 3; round++)
      await assert.rejects(append(3, 'de'), { code: 'FILE_QUOTA_EXCEEDED', detail });
    assert.equal(upload()?.received, 3);
    assert.deepEqual([...parts.contents.values()].map(String), ['abc'], 'what is refused takes no space');
  });
});

describe('a request of an upload that ends early', () => {
  it('what arrived before the client disconnected is kept', async () => {
    const { create, upload, progress } = stageUploads();
    const client = new AbortController();
    const { body, taken } = hangingBody('half');
    const creating = create('', { bodyLength: undefined, body, signal: client.signal });
    await taken;
    client.abort();
    const detail = { uploadOffset: 4, isUploadComplete: false };
    await assert.rejects(creating, { code: 'FILE_INCOMPLETE', detail });
    assert.deepEqual([upload()?.received, progress], [4, [4]]);
  });

  it('what arrived before the body failed is kept', async () => {
    const { create, upload } = stageUploads();
    const { body, taken, fail } = hangingBody('half');
    const creating = create('', { bodyLength: undefined, body });
    await taken;
    fail(new Failure('REQUEST_TIMEOUT'));
    await assert.rejects(creating, { code: 'REQUEST_TIMEOUT' });
    assert.equal(upload()?.received, 4);
  });

  it('a newer request at the recorded offset takes over at once, and the older one records nothing more', async () => {
    const { create, append, upload, content } = stageUploads();
    await create('', { length: 5 });
    const { body, taken } = hangingBody('old');
    const older = append(0, '', { bodyLength: undefined, body });
    older.catch(() => undefined);
    await taken;
    const stored = await append(0, 'newer', { isComplete: true });
    await assert.rejects(older, UploadTakenOver);
    assert.deepEqual([stored.kind, content(), upload()?.received], ['stored', ['newer'], 5]);
  });

  it('asking for the offset ends the older request, which first keeps what arrived', async () => {
    const { create, append, deps, created } = stageUploads();
    await create('');
    const { body, taken } = hangingBody('half');
    const older = append(0, '', { bodyLength: undefined, body });
    older.catch(() => undefined);
    await taken;
    const uploadId = created[0] ?? '';
    await assert.rejects(showUpload(deps, { uploadId, userId: 'eve' }), { code: 'UPLOAD_NOT_FOUND' });
    const { upload, file } = await showUpload(deps, { uploadId, userId: 'ann' });
    assert.deepEqual([upload.received, upload.writer, file], [4, undefined, undefined]);
    await assert.rejects(older, UploadTakenOver);
  });

  it('a request on another node that lost the upload learns it at its next step', async () => {
    const { create, append, deps, resumables, created, parts } = stageUploads();
    await create('');
    const { body, taken, fail } = hangingBody('late');
    const older = append(0, '', { bodyLength: undefined, body });
    older.catch(() => undefined);
    await taken;
    const asked = { uploadId: created[0] ?? '', userId: 'ann', now: deps.clock.now() };
    await resumables.take({ ...asked, writer: 'other node', offset: 0 });
    fail(new Failure('FILE_INCOMPLETE'));
    await assert.rejects(older, UploadTakenOver);
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
        throw new Failure('SERVICE_UNAVAILABLE');
      },
    });
    await assert.rejects(append(0, 'abc'), { code: 'SERVICE_UNAVAILABLE' });
    assert.deepEqual([...parts.contents.values()].map(String), ['abc']);
  });

  it('a service that stops keeps what arrived and tells the client to go on elsewhere', async () => {
    const { create, append, deps, upload } = stageUploads();
    const { body, taken } = hangingBody('half');
    const creating = create('', { bodyLength: undefined, body });
    creating.catch(() => undefined);
    await taken;
    deps.runningUploads.stop();
    const detail = { retryAfterSeconds: 1, uploadOffset: 4, isUploadComplete: false };
    await assert.rejects(creating, { code: 'SERVICE_UNAVAILABLE', detail });
    await assert.rejects(append(4, 'more'), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(upload()?.received, 4);
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
    assert.ok(isFull.upload());
  });
});
