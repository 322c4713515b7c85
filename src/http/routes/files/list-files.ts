// GET /api/file: the caller's files, newest first.
import type { FileDeps } from '../../../files/deps.ts';
import { listFiles } from '../../../files/list-files.ts';
import { Failure } from '../../../kernel/failure.ts';
import { defineRoute } from '../../interface/route.ts';
import { list, nullable, object, text } from '../../interface/schema.ts';
import { fileRecord, fileRecordExample, toWire } from './file-record.ts';

const most = 100;
const usual = 50;

export function listFilesRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List my files',
    description: 'Newest first. Pass “next” as cursor to get the following page; it is null on the last one.',
    success: 'FILES',
    failures: [],
    query: object({}, { cursor: text({ maxLength: 128 }), limit: text({ maxLength: 5 }) }),
    data: object({ files: list(fileRecord), next: nullable(text()) }),
    example: { files: [fileRecordExample], next: null },
    handle: async ({ query, caller }) => {
      const limit = Number(query.limit ?? usual);
      if (!Number.isInteger(limit) || limit < 1) throw new Failure('REQUEST_INVALID', { field: 'limit' });
      const { files, next } = await listFiles(deps, {
        userId: caller.userId,
        cursor: query.cursor,
        limit: Math.min(limit, most),
      });
      return { data: { files: files.map(toWire), next } };
    },
  });
}
