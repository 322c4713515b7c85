// GET /api/service/files/{id}: the record of a file of any user.
import type { FileDeps } from '../../../files/deps.ts';
import { openFile } from '../../../files/open-file.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { backendFile, backendFileExample, toBackendFile } from './file-record.ts';

export function showUserFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Show the record of a file of a user',
    success: 'FILE_RECORD',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    data: backendFile,
    example: backendFileExample,
    handle: async ({ params, backend }) => {
      const { file } = await openFile(deps, { keyId: backend.keyId, id: params.id });
      return { data: toBackendFile(file) };
    },
  });
}
