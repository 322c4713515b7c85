// GET /api/service/files/{id}: the record of a file of any user.
import type { FileDeps } from '../../../files/deps.ts';
import { openFile } from '../../../files/open-file.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { serviceFile, serviceFileExample, toServiceFile } from './file-record.ts';

export function showUserFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Show the record of a file of a user',
    success: 'FILE_RECORD',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    data: serviceFile,
    example: serviceFileExample,
    handle: async ({ params, service }) => {
      const { file } = await openFile(deps, { keyId: service.keyId, id: params.id });
      return { data: toServiceFile(file) };
    },
  });
}
