// DELETE /api/file/trash: removes all of the caller's deleted files for good.
import type { FileDeps } from '../../../../files/deps.ts';
import { emptyTrash } from '../../../../files/trash/empty-trash.ts';
import { defineRoute } from '../../../interface/route.ts';

export function emptyTrashRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Empty the trash',
    description: 'Removes all deleted files for good. Their space in the quota is free again.',
    success: 'TRASH_EMPTIED',
    failures: [],
    handle: async ({ caller }) => {
      await emptyTrash(deps, caller.userId);
      return { data: null };
    },
  });
}
