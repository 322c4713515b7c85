// DELETE /api/file/trash/{id}: removes one of the caller's deleted files for good.
import type { FileDeps } from '../../../../files/deps.ts';
import { removeFromTrash } from '../../../../files/trash/remove-from-trash.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';

export function removeFromTrashRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Remove a deleted file for good',
    success: 'FILE_DELETED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      await removeFromTrash(deps, { userId: caller.userId, id: params.id });
      return { data: null };
    },
  });
}
