// Parts of uploads in S3 when it fails: a step that S3 did not take is not acknowledged, and the upload goes on when S3 is back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import { failsWith, someBytes } from '../../helpers/blobs/blobs.ts';
import { setS3Stage } from '../../helpers/blobs/s3-server-stage.ts';
import { bodyOf, stageUploads } from '../../helpers/uploads/resumable-stage.ts';

const mebibyte = 2 ** 20;

describe('parts of uploads in S3 that fails', () => {
  const stage = setS3Stage();

  it('a flush repeats what S3 refuses in passing, and its bytes arrive once', async () => {
    const bytes = someBytes(mebibyte);
    const uploadId = newUploadId();
    const writer = stage.blobs.parts.openWriter(uploadId, 0, undefined);
    await writer.write(bytes);
    stage.server.faults.add('PUT', { kind: 'lost answer' }, 1);
    stage.server.faults.add('PUT', { kind: 'reset in request', bytes: 100_000 }, 1);
    const parts = await writer.flush();
    await writer.close(writer.size);
    assert.deepEqual([stage.count('PUT'), stage.server.objects.size], [3, 1]);
    const spool = await stage.blobs.parts.assemble(uploadId, parts);
    assert.ok((await spool.reader.read(0, spool.size)).equals(bytes));
    await spool.discard();
  });

  it('a part that arrives cut or changed in length is not assembled', async () => {
    const uploadId = newUploadId();
    const writer = stage.blobs.parts.openWriter(uploadId, 0, undefined);
    await writer.write(someBytes(1000));
    const parts = await writer.flush();
    await writer.close(writer.size);
    for (const fault of [
      { kind: 'truncated body', bytes: 500 },
      { kind: 'wrong length', difference: -1 },
      { kind: 'status', status: 403, code: 'AccessDenied' },
    ] as const) {
      stage.server.faults.add('GET', fault, 1);
      await failsWith('STORAGE_UNAVAILABLE', stage.blobs.parts.assemble(uploadId, parts));
    }
  });

  it('an append during which S3 goes away keeps the steps before, and the upload ends well when S3 is back', async () => {
    const { create, append, newest, content } = stageUploads({ parts: stage.blobs.parts });
    const bytes = Buffer.alloc(20 * mebibyte, 'gatehouse');
    const body = async function* () {
      yield* bodyOf(bytes.subarray(0, 9 * mebibyte));
      stage.server.faults.add('PUT', { kind: 'status', status: 503 });
      yield* bodyOf(bytes.subarray(9 * mebibyte));
    };
    const detail = { retryAfterSeconds: 5, uploadOffset: 8 * mebibyte, isUploadComplete: false };
    const failure = { code: 'STORAGE_UNAVAILABLE', detail };
    await assert.rejects(create('', { bodyLength: bytes.length, body, isComplete: true }), failure);
    assert.deepEqual([newest()?.received, newest()?.length], [8 * mebibyte, bytes.length]);
    stage.server.faults.clear();
    const rest = bytes.subarray(8 * mebibyte);
    const step = await append(8 * mebibyte, '', {
      bodyLength: rest.length,
      body: () => bodyOf(rest),
      isComplete: true,
    });
    assert.ok(step.kind === 'stored');
    assert.ok(content()[0] === bytes.toString());
  });
});
