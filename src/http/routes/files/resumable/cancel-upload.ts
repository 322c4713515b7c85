// DELETE /api/file/upload/{id}: cancels an upload in several requests. Its bytes no longer count.

import type { FileDeps } from '../../../../files/deps.ts';
import { cancelUpload } from '../../../../files/resumable/cancel-upload.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';

export function cancelUploadRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Cancel an upload',
    success: 'UPLOAD_CANCELLED',
    failures: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED', 'UPLOAD_IN_PROGRESS'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      await cancelUpload(deps, { uploadId: params.id, userId: caller.userId });
      return { data: null };
    },
  });
}
