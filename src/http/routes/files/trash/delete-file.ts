// DELETE /api/file/{id}: moves one of the caller's files to the trash.
import type { FileDeps } from '../../../../files/deps.ts';
import { trashFile } from '../../../../files/trash/trash-file.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';

export function deleteFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Delete a file',
    description:
      'Moves the file to the trash: it is gone for everyone, still counts in the quota, and its owner can restore it for the time of TRASH_LIFE. If TRASH_LIFE is 0, the file is removed for good.',
    success: 'FILE_DELETED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      await trashFile(deps, { userId: caller.userId, id: params.id });
      return { data: null };
    },
  });
}
