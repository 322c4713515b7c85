// GET and HEAD /api/file/upload/{id}: how far an upload in several requests has come. An older request can no longer append.
import type { FileDeps } from '../../../../files/deps.ts';
import { showUpload } from '../../../../files/resumable/show-upload.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';
import { stateHeaders, toUploadState, uploadState, uploadStateExample, uploadStateHeaders } from './upload-state.ts';

export function showUploadRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Show how far an upload has come',
    description:
      'HEAD answers the same headers. A request that still appends to the upload is ended, so that the offset of the answer holds until the next append.',
    success: 'UPLOAD_STATE',
    failures: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED'],
    params: object({ id: text() }),
    takesAnyId: true,
    answerHeaders: { ...uploadStateHeaders, 'Upload-Length': 'All bytes of the file, if the client has sent it' },
    data: uploadState,
    example: uploadStateExample,
    handle: async ({ params, caller }) => {
      const { upload, file } = await showUpload(deps, { uploadId: params.id, userId: caller.userId });
      return { data: toUploadState(upload, file), headers: stateHeaders(deps, upload) };
    },
  });
}
