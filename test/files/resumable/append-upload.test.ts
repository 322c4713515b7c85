// The use case of an append: what becomes durable, when it is acknowledged, what a complete upload answers, and what ends the upload.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUserId } from '../../helpers/people/ids.ts';
import { bodyOf, stageUploads } from '../../helpers/uploads/resumable-stage.ts';
import { settled } from '../../helpers/uploads/upload-stage.ts';

const mebibyte = 2 ** 20;

describe('an upload in several requests', () => {
  it('bytes of three requests become one file, and each offset is sent after it is durable and recorded', async () => {
    const { create, append, calls, progress, content, newest } = stageUploads();
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
    assert.equal(newest()?.fileId, last.file.id);
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

  for (const [what, offset, content, said, field] of [
    ['another byte', 5, '!', { isComplete: true }, 'upload-length'],
    ['another byte in chunks', 5, '!', { isComplete: true, bodyLength: undefined }, 'upload-length'],
    ['a byte that is not the last', 5, '!', {}, 'upload-complete'],
    ['nothing, and that more follows', 5, '', {}, 'upload-complete'],
    ['another length', 5, '', { isComplete: true, length: 9 }, 'upload-length'],
  ] as const)
    it(`a complete upload refuses ${what}, says that it is complete, and stays as it is`, async () => {
      const { create, append, content: stored, newest } = stageUploads();
      await create('whole', { length: 5, isComplete: true });
      const before = newest();
      const detail = { field, uploadOffset: 5, isUploadComplete: true };
      for (let round = 0; round < 2; round++)
        await assert.rejects(append(offset, content, said), { code: 'REQUEST_INVALID', detail });
      assert.deepEqual([newest(), stored()], [before, ['whole']]);
    });

  it('a complete upload repeats its answer to a request without bytes, also in chunks', async () => {
    const { create, append } = stageUploads();
    const stored = await create('whole', { length: 5, isComplete: true });
    const chunked = { isComplete: true, bodyLength: undefined, body: () => bodyOf('') };
    assert.deepEqual(await append(5, '', chunked), stored);
  });

  it('while the file is stored, only a repetition of the last request joins; others wait for the rest of the lease', async () => {
    const { promise: examining, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { deps } = stageUploads();
    const slow = stageUploads({
      examiner: {
        examine: async (...given) => {
          begin();
          await examining;
          return deps.examiner.examine(...given);
        },
      },
    });
    const storing = slow.create('whole', { length: 5, isComplete: true });
    await begun;
    slow.time.now += 12_000;
    const waits = (retryAfterSeconds: number) => ({
      code: 'UPLOAD_IN_PROGRESS',
      detail: { retryAfterSeconds, uploadOffset: 5, isUploadComplete: false },
    });
    await assert.rejects(slow.append(5, '', {}), waits(3));
    await assert.rejects(slow.append(5, '!', { isComplete: true }), waits(3));
    await assert.rejects(slow.append(4, 'e', { isComplete: true }), {
      code: 'UPLOAD_OFFSET_WRONG',
      detail: { uploadOffset: 5, isUploadComplete: false },
    });
    slow.time.now -= 12_000;
    await assert.rejects(slow.append(5, '', {}), waits(5));
    const joined = slow.append(5, '', { isComplete: true });
    resolve();
    assert.deepEqual(await joined, await storing);
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
      'REQUEST_INVALID',
      { field: 'upload-length', uploadOffset: 3, isUploadComplete: true },
      false,
    ],
    [
      'more bytes than the length, declared',
      3,
      { bodyLength: 3, isComplete: true },
      'REQUEST_INVALID',
      { field: 'upload-length', uploadOffset: 3, isUploadComplete: true },
      false,
    ],
  ] as const) {
    it(`a request is refused for ${what}, and the upload ${isLeft ? 'stays' : 'ends'}`, async () => {
      const stage = stageUploads();
      await stage.create('who', { length: 5 });
      await assert.rejects(stage.append(offset, 'l', said), { code, detail });
      assert.equal(stage.newest() !== undefined, isLeft);
      await settled();
      assert.equal(stage.parts.contents.size > 0, isLeft);
    });
  }

  it('unknown, malformed and foreign uploads get the same answer, and an expired one says so', async () => {
    const { create, append, time } = stageUploads();
    await assert.rejects(append(0, ''), { code: 'UPLOAD_NOT_FOUND', detail: {} });
    await create('x');
    await assert.rejects(append(1, 'y', { userId: asUserId('eve') }), { code: 'UPLOAD_NOT_FOUND', detail: {} });
    time.now += 3_600_000;
    await assert.rejects(append(1, 'y'), { code: 'UPLOAD_EXPIRED', detail: {} });
  });

  it('an upload of unknown length that outgrows the quota is refused and keeps what was acknowledged', async () => {
    const { create, append, newest, parts } = stageUploads({ quotaBytes: 4 });
    await create('abc', { bodyLength: undefined });
    const detail = { uploadOffset: 3, isUploadComplete: false };
    for (let round = 0; round < 3; round++)
      await assert.rejects(append(3, 'de'), { code: 'FILE_QUOTA_EXCEEDED', detail });
    assert.equal(newest()?.received, 3);
    assert.deepEqual([...parts.contents.values()].map(String), ['abc'], 'what is refused takes no space');
  });
});
