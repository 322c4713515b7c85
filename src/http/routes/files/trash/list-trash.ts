// GET /api/file/trash: the files that the caller can restore.
import type { FileDeps } from '../../../../files/deps.ts';
import { listTrash } from '../../../../files/trash/list-trash.ts';
import { defineRoute } from '../../../interface/route.ts';
import { list, named, nullable, object, text } from '../../../interface/schema.ts';
import { pageQuery, readPage } from '../../page-query.ts';
import { fileFields, fileRecordExample, toTrashedRecord, trashFields } from '../file-record.ts';

const trashedRecord = named('TrashedFile', object({ ...fileFields.required, ...trashFields }, fileFields.optional));

export function listTrashRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List my deleted files',
    description:
      'The files in the trash, newest deletion first. Until “removedAt” a file can be restored. “next” is the cursor of the next page, null on the last.',
    success: 'TRASH',
    failures: [],
    query: pageQuery,
    data: object({ files: list(trashedRecord), next: nullable(text()) }),
    example: {
      files: [{ ...fileRecordExample, deletedAt: '2026-11-16T10:00:00.000Z', removedAt: '2026-11-23T10:00:00.000Z' }],
      next: null,
    },
    handle: async ({ query, caller }) => {
      const { files, next } = await listTrash(deps, { userId: caller.userId, ...readPage(query) });
      return { data: { files: files.map(toTrashedRecord), next } };
    },
  });
}
