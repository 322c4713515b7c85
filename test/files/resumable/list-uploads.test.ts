// The pages of open uploads: a cursor is the place of the last one, and one that is not ours is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listUploads } from '../../../src/files/resumable/list-uploads.ts';
import type { ResumableStore } from '../../../src/files/resumable/resumable-upload.ts';
import { clock, fileId, noon } from '../../helpers/blobs/memory-files.ts';
import { asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { resumable } from '../../helpers/store/upload-fixtures.ts';

const idOf = (number: number) => asUploadId(`upl_${String(number).padStart(22, '0')}`);
const open = (number: number) => resumable({ id: idOf(number), createdAt: number });
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

function stage(found: readonly number[]) {
  const asked: unknown[] = [];
  const resumables: Partial<ResumableStore> = {
    listOpen: async (input) => {
      asked.push(input);
      return found.slice(0, input.most).map(open);
    },
  };
  return { deps: { clock, resumables: resumables as ResumableStore }, asked };
}

describe('the list of open uploads', () => {
  it('a page asks the store for one upload more than it shows, and names the place of the next', async () => {
    const { deps, asked } = stage([3, 2, 1]);
    const page = await listUploads(deps, { userId: asUserId('ann'), cursor: cursorOf(`9 ${idOf(9)}`), limit: 2 });
    assert.deepEqual(page, { uploads: [open(3), open(2)], next: cursorOf(`2 ${idOf(2)}`) });
    assert.deepEqual(asked, [{ userId: 'ann', before: { createdAt: 9, id: idOf(9) }, most: 3, now: noon }]);
  });

  it('the last page has no next page', async () => {
    const page = await listUploads(stage([1]).deps, { userId: asUserId('ann'), cursor: undefined, limit: 1 });
    assert.deepEqual(page, { uploads: [open(1)], next: null });
  });

  it('a cursor that is not ours is refused, also one of a list of files', async () => {
    for (const cursor of ['hello', cursorOf(`9 ${fileId(9)}`)]) {
      const listing = listUploads(stage([]).deps, { userId: asUserId('ann'), cursor, limit: 1 });
      await assert.rejects(listing, { code: 'REQUEST_INVALID', detail: { field: 'cursor' } });
    }
  });
});
