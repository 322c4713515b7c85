// PATCH /api/file/upload/{id}: appends bytes to an upload in several requests. The last ones store the file.

import type { FileDeps } from '../../../../files/deps.ts';
import { appendUpload } from '../../../../files/resumable/append-upload.ts';
import type { UploadStep } from '../../../../files/resumable/upload-request.ts';
import { Failure } from '../../../../kernel/failure.ts';
import { type Call, defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';
import { partialUploadType, readComplete, readOffset } from '../../../transfer/upload-fields.ts';
import { essenceOf } from '../../../transfer/upload-parts.ts';
import { fileRecord, fileRecordExample } from '../file-record.ts';
import { contentDigest, contentFailures } from '../uploads/receive-upload.ts';
import { createInform, cutIfOvertaken, requestOf, tellUpload } from './receive-append.ts';
import { answerStep, uploadProgress, uploadState, uploadStateExample, uploadStateHeaders } from './upload-state.ts';

export function appendUploadRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Append to an upload',
    description:
      'Appends the body, which may be empty, at Upload-Offset. With Upload-Complete: ?1 the file is stored as if it had come in one request. A newer request takes the upload from an older one. After a lost connection, ask for the offset and go on there.',
    success: 'FILE_STORED',
    status: 201,
    other: { status: 200, success: 'UPLOAD_APPENDED', data: uploadState, example: uploadStateExample },
    failures: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED', 'UPLOAD_OFFSET_WRONG', 'USER_BLOCKED', ...contentFailures(deps)],
    takesStream: true,
    interim: uploadProgress,
    takesAnyId: true,
    requestTypes: { [partialUploadType]: text({ format: 'binary' }) },
    requestHeaders: {
      'Upload-Offset': 'Where the body goes: the offset of the last answer',
      'Upload-Complete': '?1 if the upload ends with this body, otherwise ?0',
      'Upload-Length': 'All bytes of the file, as soon as they are known',
      'Content-Digest': contentDigest,
    },
    answerHeaders: uploadStateHeaders,
    params: object({ id: text() }),
    data: fileRecord,
    example: fileRecordExample,
    handle: async (call) => {
      const step = await cutIfOvertaken(call, append(deps, call)).catch((error: unknown) => {
        throw error instanceof Failure ? tellUpload(error, deps, false) : error;
      });
      return answerStep(deps, step);
    },
  });
}

async function append(deps: FileDeps, call: Call<unknown, unknown, { readonly id: string }>): Promise<UploadStep> {
  if (essenceOf(call.header('content-type')) !== partialUploadType)
    throw new Failure('MEDIA_TYPE_UNSUPPORTED', { list: partialUploadType, acceptPatch: partialUploadType });
  const isComplete = required(readComplete(call.header), 'upload-complete');
  const offset = required(readOffset(call.header), 'upload-offset');
  return appendUpload(deps, {
    ...requestOf(call, deps, { isComplete, inform: createInform(call) }),
    uploadId: call.params.id,
    userId: call.caller.userId,
    offset,
  });
}

function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Failure('REQUEST_INVALID', { field });
  return value;
}
