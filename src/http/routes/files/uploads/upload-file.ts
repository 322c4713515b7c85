// POST /api/file/upload: stores a file for a purpose. Takes multipart, a raw body or JSON; with Upload-Complete, the first of several requests.
import type { LimitRule } from '../../../../abuse/limits.ts';
import type { FileDeps } from '../../../../files/deps.ts';
import { createRateGuard } from '../../../guards/rate.ts';
import { fileUrl } from '../../../interface/paths.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object } from '../../../interface/schema.ts';
import { readComplete } from '../../../transfer/upload-fields.ts';
import { fileRecord, fileRecordExample, toFileRecord } from '../file-record.ts';
import type { ReceiveCreation } from '../resumable/create-upload.ts';
import { uploadProgress, uploadState, uploadStateExample, uploadStateHeaders } from '../resumable/upload-state.ts';
import { type ReceiveUpload, uploadFailures, uploadHeaders, uploadQuery, uploadTypes } from './receive-upload.ts';

export function uploadFileRoute(
  deps: Pick<FileDeps, 'scanning'>,
  receive: ReceiveUpload,
  receiveCreation: ReceiveCreation,
  uploadsPerUser: readonly LimitRule[],
) {
  const checkRate = createRateGuard(uploadsPerUser, 'uploads-per-user');
  return defineRoute({
    summary: 'Upload a file',
    description:
      'Takes three forms: multipart/form-data with “file” and “purpose” in any order, a raw body with its own content type, or JSON with base64 content of at most 1 MiB. The purpose may also be in the query or in the header X-File-Purpose. With an Idempotency-Key the upload can be repeated safely, with a Repr-Digest the bytes are checked. With Upload-Complete the raw body is an upload that several requests may bring (draft-ietf-httpbis-resumable-upload): ?1 if it is the whole file, ?0 if more follows by PATCH to the address in Location.',
    success: 'FILE_STORED',
    status: 201,
    other: { status: 201, success: 'UPLOAD_CREATED', data: uploadState, example: uploadStateExample },
    failures: [...uploadFailures(deps), 'USER_BLOCKED', 'UPLOAD_OFFSET_WRONG', 'UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED'],
    takesStream: true,
    interim: uploadProgress,
    requestTypes: uploadTypes,
    requestHeaders: {
      ...uploadHeaders,
      'Upload-Complete':
        'Begins an upload that may take several requests: ?1 if this body is the whole file, otherwise ?0',
      'Upload-Length': 'All bytes of the file, with Upload-Complete',
      'Upload-Draft-Interop-Version': '8 to get interim responses (104) with the address of the upload and its offset',
    },
    answerHeaders: {
      Location: 'The address of the file, or of the upload that goes on',
      ...uploadStateHeaders,
    },
    query: object({}, uploadQuery),
    data: fileRecord,
    example: fileRecordExample,
    handle: async (call) => {
      const isComplete = readComplete(call.header);
      checkRate(call.caller.userId);
      if (isComplete !== undefined) return receiveCreation(call, isComplete);
      const file = await receive(call, { userId: call.caller.userId });
      return { data: toFileRecord(file), headers: { location: fileUrl(file.id) } };
    },
  });
}
