// The count of uploads in several requests: each end once.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countUploads } from '../../../src/service/metrics/count-uploads.ts';
import { asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { stageUploads } from '../../helpers/uploads/resumable-stage.ts';

describe('the count of uploads in several requests', () => {
  it('a creation, a lost step, a cancellation and a refusal are counted, and nothing else', async () => {
    const { create, append, resumables, deps, created } = stageUploads();
    const seen: unknown[] = [];
    const counted = countUploads(resumables, { count: (name, labels) => void seen.push([name, labels]) });
    Object.assign(deps, { resumables: counted });
    await create('abc', { length: 6 });
    const asked = { uploadId: asUploadId(created[0] ?? ''), userId: asUserId('ann'), now: deps.clock.now() };
    const step = { ...asked, parts: [], received: 3, length: undefined, quota: deps.quota, expiresAt: asked.now };
    assert.equal(await counted.advance({ ...step, writer: 'older' }), 'lost');
    await assert.rejects(append(3, 'more than that'), { code: 'REQUEST_INVALID' });
    assert.equal(await counted.cancel(asked), 'unknown');
    await create('abc');
    assert.equal(await counted.cancel({ ...asked, uploadId: asUploadId(created[1] ?? '') }), 'cancelled');
    const outcomes = ['created', 'taken over', 'refused', 'created', 'cancelled'];
    assert.deepEqual(
      seen,
      outcomes.map((outcome) => ['resumable_uploads', { outcome }]),
    );
  });
});
