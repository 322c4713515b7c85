// POST /api/file/upload with Upload-Complete: begins an upload in several requests, with the first of its bytes or without.

import type { FileDeps } from '../../../../files/deps.ts';
import { createUpload } from '../../../../files/resumable/create-upload.ts';
import type { ResumableUpload } from '../../../../files/resumable/resumable-upload.ts';
import { isUploadFailure } from '../../../../files/resumable/upload-failure.ts';
import { Failure, withDetail } from '../../../../kernel/failure.ts';
import { uploadUrl } from '../../../interface/paths.ts';
import type { EnvelopeAnswer } from '../../../interface/route.ts';
import { readReprDigest } from '../../../transfer/digest-fields.ts';
import { partialUploadType } from '../../../transfer/upload-fields.ts';
import { essenceOf } from '../../../transfer/upload-parts.ts';
import { earlyPurpose, keyOf, nameOf, type UploadCall } from '../uploads/receive-upload.ts';
import { createInform, cutIfOvertaken, requestOf, tellUpload } from './receive-append.ts';
import { answerStep, limitsOf } from './upload-state.ts';

export type ReceiveCreation = (call: UploadCall, isComplete: boolean) => Promise<EnvelopeAnswer>;

export function createCreationReceiver(deps: FileDeps): ReceiveCreation {
  return async (call, isComplete) => {
    const type = call.header('content-type');
    if (essenceOf(type) === 'multipart/form-data') throw new Failure('REQUEST_INVALID', { field: 'content-type' });
    const inform = createInform(call);
    let created: ResumableUpload | undefined;
    const creating = createUpload(deps, {
      ...requestOf(call, deps, { isComplete, inform }),
      userId: call.caller.userId,
      purpose: earlyPurpose(call.query.purpose, call.header('x-file-purpose')),
      name: call.query.name ?? nameOf(call.header('content-disposition')),
      // A client that labels its first part like the others does not name the type of the file.
      declaredType: essenceOf(type) === partialUploadType ? undefined : type,
      digest: readReprDigest(call.header('repr-digest')),
      idempotencyKey: keyOf(call.header('idempotency-key')),
      onCreated: (upload) => {
        created = upload;
        inform({ location: uploadUrl(upload.id), 'upload-limit': limitsOf(deps, upload) });
      },
    });
    const step = await cutIfOvertaken(call, creating).catch((error: unknown) => {
      throw error instanceof Failure ? withLocation(tellUpload(error, deps, created === undefined), created) : error;
    });
    const answer = answerStep(deps, step);
    if (step.kind === 'stored') return answer;
    return { ...answer, headers: { ...answer.headers, location: uploadUrl(step.upload.id) } };
  };
}

/** An upload that waits for another attempt can be found, also by a client that reads no interim response. */
function withLocation(failure: Failure, upload: ResumableUpload | undefined): Failure {
  if (upload === undefined || !isUploadFailure(failure) || failure.detail.isUploadComplete !== false) return failure;
  return withDetail(failure, { uploadId: upload.id });
}
