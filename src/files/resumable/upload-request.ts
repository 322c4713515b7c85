// A request that brings bytes of an upload in several requests: what it says, and what becomes of it.
import { Failure } from '../../kernel/failure.ts';
import type { BodyBound } from '../spool/body-bound.ts';
import type { StoppableBody } from '../spool/read-until.ts';
import type { StoredFile } from '../stored-file.ts';
import type { ContentDigest } from '../uploads/content-digest.ts';
import type { ResumableUpload } from './resumable-upload.ts';

export type UploadRequest = {
  /** When it came to this node, by `performance.now`. */
  readonly arrivedAt: number;
  /** Whether the upload ends with this request. */
  readonly isComplete: boolean;
  /** All bytes of the upload, if the request tells (Upload-Length). */
  readonly length: number | undefined;
  /** The declared length of the body of this request. 0 without a body, undefined if the client does not tell. */
  readonly bodyLength: number | undefined;
  /** Of the body of this request (Content-Digest). With any, the body counts as a whole or not at all. */
  readonly digests: readonly ContentDigest[];
  /** Called after all checks that do not need the body. */
  readonly body: (bound: BodyBound) => StoppableBody;
  /** Aborted when the client disconnects. What has arrived is kept. */
  readonly signal: AbortSignal;
  /** Called after each step with the durable bytes of the upload. */
  readonly onProgress: (received: number) => void;
};

/** `stored`: the whole file is there. `received` counts its bytes as sent. */
export type UploadStep =
  | { readonly kind: 'open'; readonly upload: ResumableUpload }
  | { readonly kind: 'stored'; readonly file: StoredFile; readonly received: number };

class TakenOver extends Error {}

/** A newer request has taken the upload. Nobody waits for the answer of this one: its connection is to be cut. */
export function uploadTakenOver(): Failure {
  const cause = new TakenOver('a newer request has taken over the upload');
  return new Failure('UPLOAD_IN_PROGRESS', { retryAfterSeconds: 1 }, cause);
}

export function isTakenOver(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof TakenOver;
}
