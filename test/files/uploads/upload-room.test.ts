// Whether an upload reserves its quota: only one that could come near it, or that has a key.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noon, unavailable } from '../../helpers/blobs/memory-files.ts';
import { quota, small, stageUpload } from '../../helpers/uploads/upload-stage.ts';

describe('the room of an upload', () => {
  const short = { bodyLength: 3 };
  const ample = { hasRoom: async () => true };

  it('a small upload far from the quota reserves nothing, and the settlement alone counts it', async () => {
    const { run, calls, given } = stageUpload({ isHeld: true, input: short, files: ample });
    const file = await run();
    assert.equal(calls(), 'admit look enter take examine keep settle leave');
    const [{ uploadId }] = given('settle') as [{ uploadId: string }];
    assert.deepEqual(given('settle'), [{ uploadId, file, quota, key: undefined, now: noon }]);
  });

  it('the room that a small upload needs is that of all small uploads of eight nodes', async () => {
    const { run, given } = stageUpload({ isHeld: true, input: short });
    await run();
    const room = { bytes: 256 * 2 ** 20, files: 256 };
    assert.deepEqual(given('hasRoom'), [{ userId: 'ann', room, quota }]);
  });

  for (const [which, input] of [
    ['of unknown length', { bodyLength: undefined }],
    ['that is larger than a slot', { bodyLength: 2 ** 20 + 1 }],
    ['with a key', { ...short, idempotencyKey: 'key' }],
  ] as const) {
    it(`an upload ${which} is reserved, however much room there is`, async () => {
      const { run, given } = stageUpload({ input, files: ample, purposes: [{ ...small, maxBytes: 2 ** 21 }] });
      await run();
      assert.equal(given('reserve').length, 1);
    });
  }

  it('an upload without a reservation that fails releases none', async () => {
    const examiner = { examine: () => Promise.reject(unavailable()) };
    const { run, calls } = stageUpload({ isHeld: true, input: short, files: ample, examiner });
    await assert.rejects(run, { code: 'STORAGE_UNAVAILABLE' });
    assert.equal(calls(), 'admit look enter take leave');
  });

  it('an upload without a reservation is refused, and its file removed, if the quota was used up meanwhile', async () => {
    const settle = async () => ({ kind: 'full' }) as const;
    const { run, given } = stageUpload({ isHeld: true, input: short, files: { ...ample, settle } });
    await assert.rejects(run, { code: 'FILE_QUOTA_EXCEEDED' });
    assert.equal(given('remove').length, 1);
  });
});
