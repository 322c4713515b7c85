// Requests of an upload with the digest of their content: they count as a whole or not at all.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Failure } from '../../../src/kernel/failure.ts';
import { bodyOf, hangingBody, stageUploads } from '../../helpers/uploads/resumable-stage.ts';
import { settled } from '../../helpers/uploads/upload-stage.ts';

const mebibyte = 2 ** 20;
const digestsOf = (content: string | Buffer) =>
  (['sha256', 'sha512'] as const).map((algorithm) => ({ algorithm, value: hash(algorithm, content, 'buffer') }));

describe('a request with the digest of its content', () => {
  it('counts if its bytes are those that were sent', async () => {
    const { create, append, content } = stageUploads();
    await create('who', { digests: digestsOf('who') });
    await append(3, 'le', { isComplete: true, digests: digestsOf('le') });
    assert.deepEqual(content(), ['whole']);
  });

  it('does not count at all if one digest is of other bytes, and the upload goes on', async () => {
    const { create, append, newest, parts, content, progress } = stageUploads();
    await create('who', { length: 5 });
    const detail = { uploadOffset: 3, isUploadComplete: false };
    const digests = [...digestsOf('le').slice(0, 1), ...digestsOf('el').slice(1)];
    const wrong = append(3, 'le', { isComplete: true, digests });
    await assert.rejects(wrong, { code: 'FILE_DIGEST_MISMATCH', detail });
    await settled();
    assert.deepEqual([newest()?.received, [...parts.contents.values()].map(String), progress], [3, ['who'], [3]]);
    await append(3, 'le', { isComplete: true });
    assert.deepEqual(content(), ['whole']);
  });

  it('tells no step before its end, and loses all of them if it is cut', async () => {
    const long = Buffer.alloc(20 * mebibyte, 1);
    const { create, append, newest, progress, parts } = stageUploads();
    await create('', { length: long.length });
    const { body, taken, fail } = hangingBody(long);
    const cut = append(0, '', { bodyLength: undefined, body, digests: digestsOf(long) });
    cut.catch(() => undefined);
    await taken;
    fail(new Failure('FILE_INCOMPLETE'));
    await assert.rejects(cut, { code: 'FILE_INCOMPLETE', detail: { uploadOffset: 0, isUploadComplete: false } });
    await settled();
    assert.deepEqual([newest()?.received, progress, parts.contents.size], [0, [], 0]);
    await append(0, '', { bodyLength: undefined, body: () => bodyOf(long), digests: digestsOf(long) });
    assert.deepEqual([newest()?.received, progress], [long.length, [long.length]]);
  });

  it('of unknown length may have 8 MiB, and one that tells a length needs room for it before its bytes', async () => {
    const { create, append, newest, parts, progress } = stageUploads({ quotaBytes: 9 * mebibyte });
    await create('');
    const [most, more] = [Buffer.alloc(8 * mebibyte), Buffer.alloc(8 * mebibyte + 1)];
    const refused = {
      code: 'REQUEST_INVALID',
      detail: { field: 'upload-length', uploadOffset: 0, isUploadComplete: false },
    };
    for (const bodyLength of [more.length, undefined]) {
      const said = { bodyLength, body: () => bodyOf(more), digests: digestsOf(more) };
      await assert.rejects(append(0, '', said), refused);
    }
    const body = () => assert.fail('the body was read');
    const long = append(0, '', { bodyLength: undefined, length: 10 * mebibyte, body, digests: digestsOf('') });
    await assert.rejects(long, { code: 'FILE_QUOTA_EXCEEDED' });
    await settled();
    assert.deepEqual([newest()?.received, newest()?.length, parts.contents.size], [0, undefined, 0]);
    await append(0, '', { bodyLength: undefined, body: () => bodyOf(most), digests: digestsOf(most) });
    assert.deepEqual(progress, [most.length]);
  });

  it('a complete upload repeats its answer only if the digest of the request is that of no bytes', async () => {
    const { create, append } = stageUploads();
    const stored = await create('whole', { length: 5, isComplete: true });
    const detail = { uploadOffset: 5, isUploadComplete: false };
    const wrong = append(5, '', { isComplete: true, digests: digestsOf('!') });
    await assert.rejects(wrong, { code: 'FILE_DIGEST_MISMATCH', detail });
    assert.deepEqual(await append(5, '', { isComplete: true, length: 5, digests: digestsOf('') }), stored);
  });
});
