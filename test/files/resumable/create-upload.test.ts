// The use case that begins an upload in several requests: what is refused at once, and how an Idempotency-Key finds an open upload.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyIdOf } from '../../../src/files/uploads/upload-key.ts';
import { noon, recordOf } from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { bodyOf, stageUploads } from '../../helpers/uploads/resumable-stage.ts';

const large = 40 * 2 ** 20;

describe('the creation of an upload', () => {
  for (const [what, changes, code, detail] of [
    ['no purpose', { purpose: undefined }, 'FILE_PURPOSE_REQUIRED', { list: 'large' }],
    ['an unknown purpose', { purpose: 'other' }, 'FILE_PURPOSE_UNKNOWN', { list: 'large' }],
    ['a length above the limit', { length: large + 1 }, 'FILE_TOO_LARGE', { limit: '40 MiB', maxBytes: large }],
    ['a body above the limit', { bodyLength: large + 1 }, 'FILE_TOO_LARGE', { limit: '40 MiB', maxBytes: large }],
    ['a body shorter than the length', { length: 4, isComplete: true }, 'REQUEST_INVALID', { field: 'upload-length' }],
    ['a body longer than the length', { length: 2 }, 'REQUEST_INVALID', { field: 'upload-length' }],
    ['more than the quota', { length: 1001 }, 'FILE_QUOTA_EXCEEDED', {}],
  ] as const) {
    it(`an upload is refused before its body: ${what}`, async () => {
      const { create, created, newest } = stageUploads({ quotaBytes: 1000 });
      await assert.rejects(create('abc', changes), { code, detail });
      assert.deepEqual([created, newest()], [[], undefined]);
    });
  }

  it('an upload is announced before its body is read, with what the request said', async () => {
    const { create, calls, newest } = stageUploads();
    const onCreated = () => void calls.push('created');
    const body = () => {
      calls.push('body');
      return bodyOf('abc');
    };
    const step = await create('abc', { onCreated, body, length: 7, digest: 'digest', idempotencyKey: 'key' });
    assert.deepEqual(calls.slice(0, 3), ['create', 'created', 'body']);
    assert.ok(step.kind === 'open');
    assert.deepEqual(
      { ...step.upload, id: '', writer: '' },
      {
        id: '',
        writer: '',
        userId: 'ann',
        purpose: 'large',
        name: 'sent.txt',
        declaredType: 'text/plain',
        digest: 'digest',
        keyId: keyIdOf({ userId: asUserId('ann'), idempotencyKey: 'key' }),
        length: 7,
        received: 3,
        parts: 0,
        finisher: undefined,
        finishUntil: undefined,
        fileId: undefined,
        createdAt: noon,
        expiresAt: noon + 3_600_000,
        endedAt: undefined,
      },
    );
    assert.equal(newest(), undefined, 'onCreated was replaced');
  });

  it('an upload in one request whose length nobody sent is stored', async () => {
    const { create, content } = stageUploads();
    assert.equal((await create('abc', { isComplete: true, bodyLength: undefined })).kind, 'stored');
    assert.deepEqual(content(), ['abc']);
  });

  it('an empty file is refused as in a plain upload', async () => {
    const { create, newest } = stageUploads();
    const detail = { uploadOffset: 0, isUploadComplete: true };
    await assert.rejects(create('', { isComplete: true }), { code: 'FILE_EMPTY', detail });
    assert.equal(newest(), undefined);
  });
});

describe('the Idempotency-Key of an upload in several requests', () => {
  const idempotencyKey = 'key';

  it('a creation with the key of an open upload gives that upload, and takes bytes only at its beginning', async () => {
    const { create, created, content } = stageUploads();
    await create('', { idempotencyKey, length: 6 });
    await create('abc', { idempotencyKey, length: 6 });
    const again = await create('', { idempotencyKey, length: 6 });
    assert.ok(again.kind === 'open' && again.upload.received === 3);
    const detail = { uploadOffset: 3, isUploadComplete: false };
    await assert.rejects(create('abcdef', { idempotencyKey, length: 6, isComplete: true }), {
      code: 'UPLOAD_OFFSET_WRONG',
      detail,
    });
    assert.equal(new Set(created).size, 1);
    assert.deepEqual([created.length, content()], [4, []]);
  });

  it('an empty creation says nothing about the end of an upload that has bytes', async () => {
    const { create, newest } = stageUploads();
    await create('abc', { idempotencyKey, bodyLength: undefined });
    assert.equal((await create('', { idempotencyKey, isComplete: true })).kind, 'open');
    assert.deepEqual([newest()?.received, newest()?.length], [3, undefined]);
  });

  it('a key of other content is refused, and one that a digest proves is answered with its file', async () => {
    const { create, resumables } = stageUploads();
    await create('abc', { idempotencyKey, length: 6 });
    await assert.rejects(create('', { idempotencyKey, length: 7 }), { code: 'IDEMPOTENCY_KEY_REUSED' });
    const file = recordOf('fil_1', 'abc', { userId: asUserId('ann') });
    const key = { fingerprint: '00ff', keptUntil: noon + 1, file };
    resumables.keys.set(keyIdOf({ userId: asUserId('ann'), idempotencyKey: 'done' }) ?? '', key);
    const digest = Buffer.from('00ff', 'hex').toString('base64');
    const known = await create('', { idempotencyKey: 'done', digest, length: 9 });
    assert.deepEqual(known, { kind: 'stored', file, received: 9 });
    assert.equal((await create('', { idempotencyKey: 'done', length: 9 })).kind, 'open');
  });

  for (const [what, lose, detail] of [
    ['that is cancelled', ({ resumables }) => resumables.uploads.clear(), {}],
    ['whose bytes vanish', ({ parts }) => parts.contents.clear(), { uploadOffset: 5, isUploadComplete: true }],
  ] as const satisfies readonly (readonly [string, (stage: ReturnType<typeof stageUploads>) => void, object])[])
    it(`a creation with the whole file ${what} after its last byte is not found, and nothing of it is left`, async () => {
      const stage = stageUploads();
      const whole = stage.create('whole', { isComplete: true, onProgress: () => lose(stage) });
      await assert.rejects(whole, { code: 'UPLOAD_NOT_FOUND', detail });
      assert.deepEqual([stage.newest(), stage.content()], [undefined, []]);
    });
});
