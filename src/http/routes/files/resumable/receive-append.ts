// What the requests of an upload in several requests have in common: their body, interim responses, and how one ends that was overtaken.
import type { FileDeps } from '../../../../files/deps.ts';
import { isUploadFailure } from '../../../../files/resumable/upload-failure.ts';
import { isTakenOver, type UploadRequest } from '../../../../files/resumable/upload-request.ts';
import { type Failure, withDetail } from '../../../../kernel/failure.ts';
import type { Call } from '../../../interface/route.ts';
import { readContentDigests } from '../../../transfer/digest-fields.ts';
import { bodyOf } from '../../../transfer/upload-body.ts';
import {
  bodyLength,
  interopVersion,
  readLength,
  resumptionSupported,
  speaksInterop,
  writeLimits,
} from '../../../transfer/upload-fields.ts';

type Inform = (headers: Readonly<Record<string, string>>) => void;

/** Only a client of the same version of the draft understands interim responses as we mean them. */
export function createInform({ header, inform }: Pick<Call, 'header' | 'inform'>): Inform {
  if (!speaksInterop(header)) return () => undefined;
  const version = { 'upload-draft-interop-version': String(interopVersion) };
  return (headers) => inform(resumptionSupported, { ...headers, ...version });
}

export function requestOf(
  call: Pick<Call, 'header' | 'stream' | 'signal' | 'arrivedAt'>,
  { uploadTimes }: Pick<FileDeps, 'uploadTimes'>,
  { isComplete, inform }: { readonly isComplete: boolean; readonly inform: Inform },
): UploadRequest {
  return {
    arrivedAt: call.arrivedAt,
    isComplete,
    length: readLength(call.header),
    digests: readContentDigests(call.header('content-digest')),
    bodyLength: bodyLength(call.header),
    body: (bound) => bodyOf(call.stream, bound.bytes, uploadTimes),
    signal: call.signal,
    onProgress: (received) => inform({ 'upload-offset': String(received) }),
  };
}

/** Each failure says whether it is the result of the whole upload, and a file that is too large hears the limits. */
export function tellUpload(
  failure: Failure,
  { appendBytes }: Pick<FileDeps, 'appendBytes'>,
  isUploadComplete: boolean,
): Failure {
  if (!isUploadFailure(failure)) return failure;
  const refusal = withDetail(failure, { isUploadComplete: failure.detail.isUploadComplete ?? isUploadComplete });
  if (refusal.code !== 'FILE_TOO_LARGE' || refusal.detail.maxBytes === undefined) return refusal;
  return withDetail(refusal, { uploadLimit: writeLimits({ maxBytes: refusal.detail.maxBytes, appendBytes }) });
}

/** Nobody waits for the answer of a request that a newer one has overtaken. Its connection is cut. */
export async function cutIfOvertaken<T>({ stream }: Pick<Call, 'stream'>, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    // A stream that has ended would leave its connection open.
    if (isTakenOver(error)) stream.socket.destroy();
    throw error;
  });
}
