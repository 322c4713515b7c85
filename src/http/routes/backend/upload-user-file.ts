// POST /api/service/files?user=: stores a file on behalf of a user. The same forms, rules and quota as for an upload by the user.

import { parseUserId } from '../../../auth/directory/user-directory.ts';
import { backendAct } from '../../../backend/backend-act.ts';
import type { FileDeps } from '../../../files/deps.ts';
import { Failure } from '../../../kernel/failure.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { readComplete } from '../../transfer/upload-fields.ts';
import {
  type ReceiveUpload,
  uploadFailures,
  uploadHeaders,
  uploadQuery,
  uploadTypes,
} from '../files/uploads/receive-upload.ts';
import { backendFile, backendFileExample, toBackendFile } from './file-record.ts';

/** LIMIT_UPLOADS_PER_USER does not apply: it stops users, and the limit of a key and the quota of the user stop the back end. */
export function uploadUserFileRoute(deps: Pick<FileDeps, 'scanning'>, receive: ReceiveUpload) {
  return defineRoute({
    summary: 'Upload a file on behalf of a user',
    description:
      'Takes a whole file, in the same forms and with the same headers as POST /api/file/upload. It counts in the quota of the user. An Idempotency-Key belongs to the service key and the user.',
    success: 'FILE_STORED',
    status: 201,
    failures: ['NOT_FOUND', ...uploadFailures(deps)],
    takesStream: true,
    requestTypes: uploadTypes,
    requestHeaders: uploadHeaders,
    query: object({ user: text({ maxLength: 64, description: 'User id' }) }, uploadQuery),
    data: backendFile,
    example: backendFileExample,
    handle: async (call) => {
      const userId = parseUserId(call.query.user);
      // Uploads in several requests are for users. A first part must not become a whole file.
      if (readComplete(call.header) === false) throw new Failure('REQUEST_INVALID', { field: 'upload-complete' });
      const file = await receive(call, { userId, by: backendAct(call.backend) });
      return { data: toBackendFile(file), headers: { location: `/api/service/files/${file.id}` } };
    },
  });
}
