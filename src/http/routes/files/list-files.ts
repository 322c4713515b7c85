// GET /api/file: the caller's files, newest first.
import type { FileDeps } from '../../../files/deps.ts';
import { listFiles } from '../../../files/list-files.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { pageQuery, readPage } from '../page-query.ts';
import { fileRecord, fileRecordExample, toFileRecord } from './file-record.ts';

export function listFilesRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List my files',
    description: 'Newest first. Pass “next” as cursor to get the following page. On the last page it is null.',
    success: 'FILES',
    failures: [],
    query: pageQuery,
    data: object({ files: list(fileRecord), next: nullable(text()) }),
    example: { files: [fileRecordExample], next: null },
    handle: async ({ query, caller }) => {
      const { files, next } = await listFiles(deps, { userId: caller.userId, ...readPage(query) });
      return { data: { files: files.map(toFileRecord), next } };
    },
  });
}
