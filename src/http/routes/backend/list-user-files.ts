// GET /api/service/users/{id}/files: the files of a user, newest first.
import { listUserFiles } from '../../../backend/list-user-files.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { pageQuery, readPage } from '../page-query.ts';
import { backendFile, backendFileExample, toBackendFile } from './file-record.ts';

export function listUserFilesRoute(deps: Parameters<typeof listUserFiles>[0]) {
  return defineRoute({
    summary: 'List the files of a user',
    description: 'Newest first. “next” is the cursor of the next page, null on the last.',
    success: 'SERVICE_VIEW',
    failures: ['NOT_FOUND'],
    params: object({ id: text({ description: 'User id' }) }),
    takesAnyId: true,
    query: pageQuery,
    data: object({ files: list(backendFile), next: nullable(text()) }),
    example: { files: [backendFileExample], next: null },
    handle: async ({ params, query }) => {
      const { files, next } = await listUserFiles(deps, { userId: params.id, ...readPage(query) });
      return { data: { files: files.map(toBackendFile), next } };
    },
  });
}
