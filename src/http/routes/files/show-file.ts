// GET /api/file/{id}: the record of a file that the caller may read.
import type { FileDeps } from '../../../files/deps.ts';
import { openFile } from '../../../files/open-file.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { fileRecord, fileRecordExample, toFileRecord } from './file-record.ts';

export function showFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Show a file’s record',
    success: 'FILE_RECORD',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    data: fileRecord,
    example: fileRecordExample,
    handle: async ({ params, caller }) => {
      const { file } = await openFile(deps, { userId: caller.userId, id: params.id });
      return { data: toFileRecord(file) };
    },
  });
}
