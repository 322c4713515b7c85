// GET /api/file: the caller's files, newest first.
import type { FileDeps } from '../../../files/deps.ts';
import { listFiles } from '../../../files/list-files.ts';
import { defineRoute } from '../../interface/route.ts';
import { pageQuery, readPage } from '../page-query.ts';
import { filePage, fileRecordExample, toFileRecord } from './file-record.ts';

export function listFilesRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List my files',
    description: 'Newest first. “next” is the cursor of the next page, null on the last.',
    success: 'FILES',
    failures: [],
    query: pageQuery,
    data: filePage,
    example: { files: [fileRecordExample], next: null },
    handle: async ({ query, caller }) => {
      const { files, next } = await listFiles(deps, { userId: caller.userId, ...readPage(query) });
      return { data: { files: files.map(toFileRecord), next } };
    },
  });
}
