// GET /file/{id}: the file's bytes, or a redirect to them.
import type { FileDeps } from '../../../files/deps.ts';
import { openFile } from '../../../files/open-file.ts';
import { createSmallBlobs } from '../../../files/small-blobs.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { type FileServing, serveFile } from '../../transfer/serve-file.ts';

export function getFileRoute(deps: FileDeps, mode: FileServing) {
  const parts = { blobs: deps.blobs, smallBlobs: createSmallBlobs(deps.blobs), clock: deps.clock, mode };
  return defineRoute({
    summary: 'Get a file',
    description:
      'Supports ranges, conditional requests and HEAD. If files are in S3, a caller with a cookie or with ?redirect=1 is redirected to a short-lived URL. A caller with a bearer token gets the bytes.',
    success: 'FILE_RECORD',
    failures: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'PRECONDITION_FAILED', 'STORAGE_UNAVAILABLE'],
    params: object({ id: text() }),
    takesAnyId: true,
    servesFile: true,
    query: object({}, { redirect: text(), download: text() }),
    answerTypes: ['*/*'],
    otherAnswers: {
      206: 'The part of the file that Range names',
      302: 'The short-lived URL of the file in S3, in Location',
      304: 'The caller already has this version: If-None-Match or If-Modified-Since',
    },
    handle: async (call) => {
      const { file, served } = await openFile(deps, { userId: call.caller.userId, id: call.params.id });
      return serveFile(parts, file, {
        header: call.header,
        isHead: call.method === 'HEAD',
        wantsRedirect: call.query.redirect === '1' || call.caller.via === 'cookie',
        isAttachment: served === 'attachment' || call.query.download === '1',
      });
    },
  });
}
