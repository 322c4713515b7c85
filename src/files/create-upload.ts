// Use case: begin an upload in several requests, and take the bytes that the first request brings.
import { Failure } from '../kernel/failure.ts';
import { newId } from '../kernel/random.ts';
import { planAppend, wrongLength, wrongOffset } from './append-rules.ts';
import type { FileDeps } from './deps.ts';
import { receiveBytes } from './receive-bytes.ts';
import { newUploadId, type ResumableUpload } from './resumable-upload.ts';
import { keyIdOf } from './upload-key.ts';
import { findPurpose } from './upload-purpose.ts';
import type { UploadRequest, UploadStep } from './upload-request.ts';
import { ownerGone } from './upload-rules.ts';

export type CreateUpload = UploadRequest & {
  readonly userId: string;
  readonly purpose: string | undefined;
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  /** SHA-256 of the bytes as sent, in base64. */
  readonly digest: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Called once, before the body: the upload exists. Its id and offset can be told to the client. */
  readonly onCreated: (upload: ResumableUpload) => void;
};

/**
 * An upload of this user with the same Idempotency-Key goes on. Throws UploadTakenOver if a newer request takes the upload. If it does
 * not wait for its first byte, a body gets UPLOAD_OFFSET_WRONG, after `onCreated`.
 */
export async function createUpload(deps: FileDeps, input: CreateUpload): Promise<UploadStep> {
  const { userId, length: said, bodyLength } = input;
  const { name: purpose, maxBytes } = findPurpose(deps.purposes, input.purpose);
  const plan = planAppend({ received: 0, length: undefined, maxBytes }, input);
  if ('refusal' in plan) {
    const isContradiction = said !== undefined && said <= maxBytes && bodyLength !== undefined;
    throw isContradiction ? wrongLength() : plan.refusal;
  }
  const { length } = plan;
  const { name, declaredType, digest } = input;
  const now = deps.clock.now();
  const facts = { id: newUploadId(), userId, purpose, name, declaredType, digest, keyId: keyIdOf(input), length };
  const writer = newId();
  const expiresAt = now + deps.uploadLifeSeconds * 1000;
  const outcome = await deps.resumables.create({ ...facts, writer, quota: deps.quota, expiresAt, now });
  if (outcome.kind === 'known') return { kind: 'stored', file: outcome.file, received: length ?? outcome.file.size };
  if (outcome.kind === 'full') throw new Failure('FILE_QUOTA_EXCEEDED');
  if (outcome.kind === 'gone') throw ownerGone(undefined);
  if (outcome.kind === 'key reused') throw new Failure('IDEMPOTENCY_KEY_REUSED');
  if (outcome.kind === 'in progress') throw new Failure('UPLOAD_IN_PROGRESS', { retryAfterSeconds: 1 });
  const upload = outcome.kind === 'open' ? outcome.upload : begun({ ...facts, writer, expiresAt, createdAt: now });
  input.onCreated(upload);
  const { received } = upload;
  if (received > 0) void deps.runningUploads.cut(upload.id, userId, 'taken over');
  if (received > 0 && bodyLength !== 0) throw wrongOffset(received);
  // A creation without a body knows nothing about the end of an upload that has bytes.
  if (received > 0) return { kind: 'open', upload };
  return receiveBytes(deps, { upload, writer }, input);
}

type NewFacts = Omit<ResumableUpload, 'received' | 'parts' | 'finisher' | 'finishUntil' | 'fileId' | 'endedAt'>;

function begun(facts: NewFacts): ResumableUpload {
  return {
    ...facts,
    received: 0,
    parts: 0,
    finisher: undefined,
    finishUntil: undefined,
    fileId: undefined,
    endedAt: undefined,
  };
}
