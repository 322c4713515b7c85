// The pages of the trash: a cursor is the place of the last deletion, and one that is not ours is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listTrash } from '../../../src/files/trash/list-trash.ts';
import type { TrashStore } from '../../../src/files/trash/trash.ts';
import { clock, fileId, noon, recordOf } from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';

const trashed = (number: number) => ({ ...recordOf(fileId(number), 'x'), deletedAt: number, removedAt: noon + number });
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

function stage(found: readonly number[]) {
  const asked: unknown[] = [];
  const trash: Partial<TrashStore> = {
    listTrash: async (input) => {
      asked.push(input);
      return found.slice(0, input.most).map(trashed);
    },
  };
  return { deps: { clock, trash: trash as TrashStore }, asked };
}

describe('the list of the trash', () => {
  it('a page asks the store for one file more than it shows, and names the place of the next', async () => {
    const { deps, asked } = stage([3, 2, 1]);
    const page = await listTrash(deps, { userId: asUserId('ann'), cursor: cursorOf(`9 ${fileId(9)}`), limit: 2 });
    assert.deepEqual(page, { files: [trashed(3), trashed(2)], next: cursorOf(`2 ${fileId(2)}`) });
    assert.deepEqual(asked, [{ userId: 'ann', before: { deletedAt: 9, id: fileId(9) }, most: 3, now: noon }]);
  });

  it('the last page has no next page', async () => {
    const { deps, asked } = stage([1]);
    const page = await listTrash(deps, { userId: asUserId('ann'), cursor: undefined, limit: 1 });
    assert.deepEqual(page, { files: [trashed(1)], next: null });
    assert.deepEqual(asked, [{ userId: 'ann', before: undefined, most: 2, now: noon }]);
  });

  it('a cursor that is not ours is refused', async () => {
    const listing = listTrash(stage([]).deps, { userId: asUserId('ann'), cursor: 'hello', limit: 1 });
    await assert.rejects(listing, { code: 'REQUEST_INVALID', detail: { field: 'cursor' } });
  });
});
