// POST /api/file/{id}/restore: takes one of the caller's files back from the trash.
import type { FileDeps } from '../../../../files/deps.ts';
import { restoreFile } from '../../../../files/trash/restore-file.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';
import { fileRecord, fileRecordExample, toFileRecord } from '../file-record.ts';

export function restoreFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Restore a deleted file',
    description:
      'The file is as it was before: its id, its bytes, and the links and readers that it had. A file that is not deleted stays as it is.',
    success: 'FILE_RESTORED',
    failures: ['USER_BLOCKED', 'FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    data: fileRecord,
    example: fileRecordExample,
    handle: async ({ params, caller }) => {
      const file = await restoreFile(deps, { userId: caller.userId, id: params.id });
      return { data: toFileRecord(file) };
    },
  });
}
