// GET /api/file/uploads: the caller's uploads in several requests that are not finished.
import type { FileDeps } from '../../../../files/deps.ts';
import { listUploads } from '../../../../files/resumable/list-uploads.ts';
import type { ResumableUpload } from '../../../../files/resumable/resumable-upload.ts';
import { uploadUrl } from '../../../interface/paths.ts';
import { defineRoute } from '../../../interface/route.ts';
import { integer, list, named, nullable, object, text } from '../../../interface/schema.ts';
import { isoTime } from '../../fields.ts';
import { pageQuery, readPage } from '../../page-query.ts';
import { uploadStateExample, uploadStateFields } from './upload-state.ts';

const openUpload = named(
  'OpenUpload',
  object({
    id: uploadStateFields.id,
    url: uploadStateFields.url,
    purpose: text(),
    name: nullable(text()),
    length: uploadStateFields.length,
    offset: integer(),
    createdAt: isoTime,
    expiresAt: isoTime,
  }),
);

export function listUploadsRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List my open uploads',
    description: 'Unfinished uploads in several requests, newest first.',
    success: 'UPLOADS',
    failures: [],
    query: pageQuery,
    data: object({ uploads: list(openUpload), next: nullable(text()) }),
    example: { uploads: [example()], next: null },
    handle: async ({ query, caller }) => {
      const { uploads, next } = await listUploads(deps, { userId: caller.userId, ...readPage(query) });
      return { data: { uploads: uploads.map(toOpenUpload), next } };
    },
  });
}

function toOpenUpload({ id, purpose, name, length, received, createdAt, expiresAt }: ResumableUpload) {
  return {
    id,
    url: uploadUrl(id),
    purpose,
    name: name ?? null,
    length: length ?? null,
    offset: received,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

function example() {
  const { id, url, length, offset, expiresAt } = uploadStateExample;
  return {
    id,
    url,
    purpose: 'video',
    name: 'film.mp4',
    length,
    offset,
    createdAt: '2026-11-15T09:30:00.000Z',
    expiresAt,
  };
}
