// GET /api/file: the caller's files, newest first.
import type { FileDeps } from '../../../files/deps.ts';
import { listFiles } from '../../../files/list-files.ts';
import { Failure } from '../../../kernel/failure.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { fileRecord, fileRecordExample, toWire } from './file-record.ts';

const largestPage = 100;
const defaultPage = 50;

export function listFilesRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List my files',
    description: 'Newest first. Pass “next” as cursor to get the following page. On the last page it is null.',
    success: 'FILES',
    failures: [],
    query: object({}, { cursor: text({ maxLength: 128 }), limit: text({ maxLength: 5 }) }),
    data: object({ files: list(fileRecord), next: nullable(text()) }),
    example: { files: [fileRecordExample], next: null },
    handle: async ({ query, caller }) => {
      const limit = Number(query.limit ?? defaultPage);
      if (!Number.isInteger(limit) || limit < 1) throw new Failure('REQUEST_INVALID', { field: 'limit' });
      const { files, next } = await listFiles(deps, {
        userId: caller.userId,
        cursor: query.cursor,
        limit: Math.min(limit, largestPage),
      });
      return { data: { files: files.map(toWire), next } };
    },
  });
}
