// DELETE /api/file/{id}: deletes one of the caller's files.
import { deleteFile } from '../../../files/delete-file.ts';
import type { FileDeps } from '../../../files/deps.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';

export function deleteFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Delete a file',
    success: 'FILE_DELETED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    handle: async ({ params, caller }) => {
      await deleteFile(deps, { userId: caller.userId, id: params.id });
      return { data: null };
    },
  });
}
