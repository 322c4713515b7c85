// Use case: begin an upload in several requests, and take the bytes that the first request brings.

import { newId } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { ownerFailure } from '../owner-state.ts';
import { checkDigests } from '../uploads/content-digest.ts';
import { keyIdOf } from '../uploads/upload-key.ts';
import { findPurpose } from '../uploads/upload-purpose.ts';
import { planAppend, wrongContent, wrongOffset } from './append-rules.ts';
import { receiveBytes } from './receive-bytes.ts';
import { newUploadId, type ResumableUpload } from './resumable-upload.ts';
import { inProgress } from './upload-answers.ts';
import type { UploadRequest, UploadStep } from './upload-request.ts';

export type CreateUpload = UploadRequest & {
  readonly userId: UserId;
  readonly purpose: string | undefined;
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  /** SHA-256 of the bytes as sent, in base64. */
  readonly digest: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Called once, before the body: the upload exists. Its id and offset can be sent to the client. */
  readonly onCreated: (upload: ResumableUpload) => void;
};

/**
 * An upload of this user with the same Idempotency-Key goes on. Throws uploadTakenOver() if a newer request takes the upload. If it does
 * not wait for its first byte, a body gets UPLOAD_OFFSET_WRONG, after `onCreated`.
 */
export async function createUpload(deps: FileDeps, input: CreateUpload): Promise<UploadStep> {
  const { userId, bodyLength } = input;
  const { name: purpose, maxBytes } = findPurpose(deps.purposes, input.purpose);
  const plan = planAppend({ received: 0, length: undefined, maxBytes }, input);
  if ('refusal' in plan) throw plan.refusal;
  const { length } = plan;
  const { name, declaredType, digest } = input;
  const now = deps.clock.now();
  const facts = { id: newUploadId(), userId, purpose, name, declaredType, digest, keyId: keyIdOf(input), length };
  const writer = newId();
  const expiresAt = now + deps.uploadLifeSeconds * 1000;
  const outcome = await deps.resumables.create({ ...facts, writer, quota: deps.quota, expiresAt, now });
  if (outcome.kind === 'known') return { kind: 'stored', file: outcome.file, received: length ?? outcome.file.size };
  if (outcome.kind === 'full') throw new Failure('FILE_QUOTA_EXCEEDED');
  if (outcome.kind === 'gone' || outcome.kind === 'blocked') throw ownerFailure(outcome.kind);
  if (outcome.kind === 'key reused') throw new Failure('IDEMPOTENCY_KEY_REUSED');
  if (outcome.kind === 'in progress') throw inProgress(outcome.until, deps.clock.now());
  const upload = outcome.kind === 'open' ? outcome.upload : begun({ ...facts, writer, expiresAt, createdAt: now });
  input.onCreated(upload);
  const { received } = upload;
  const running = deps.runningUploads.begin(upload.id, userId, input.arrivedAt);
  try {
    if (received > 0 && bodyLength !== 0) throw wrongOffset(received);
    // A creation without a body knows nothing about the end of an upload that has bytes.
    if (received > 0 && !checkDigests(input.digests).isRight()) throw wrongContent(received);
    if (received > 0) return { kind: 'open', upload };
    return await receiveBytes(deps, { upload, writer, running }, input);
  } finally {
    running.end();
  }
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
