// Use case: store a file. All request forms use it, so the same rules apply to each.

import type { BackendAct } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { ownerFailure } from '../owner-state.ts';
import type { Purpose } from '../purpose.ts';
import { inProgress } from '../resumable/upload-answers.ts';
import type { BodyBound } from '../spool/body-bound.ts';
import { createHeldSpool } from '../spool/held-spool.ts';
import { mostSegments, segmentBytes } from '../spool/segments.ts';
import type { SpoolPlace } from '../spool/spool-budget.ts';
import { type KnownUpload, newReservationId, type ReservationId, type StoredFile } from '../stored-file.ts';
import { repeatUpload, type StoreDeps, storeUpload } from './store-upload.ts';
import { type Taken, takeParts, type UploadPart } from './take-parts.ts';
import { createWait } from './upload-in-time.ts';
import { keyIdOf } from './upload-key.ts';
import { findPurpose, tooLarge } from './upload-purpose.ts';

export type UploadFile = {
  /** The owner of the file. */
  readonly userId: UserId;
  /** Given if the back end uploads on behalf of the owner. */
  readonly by?: BackendAct | undefined;
  /** From the query or a header, so it is known before the body. */
  readonly purpose: string | undefined;
  /** The declared length of the whole request body. With `isBare` the body is the file itself. */
  readonly bodyLength: number | undefined;
  readonly isBare: boolean;
  readonly idempotencyKey: string | undefined;
  /** SHA-256 of the bytes as sent, in base64. */
  readonly digest: string | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called after all checks that do not need the body. */
  readonly parts: (bound: BodyBound) => AsyncIterable<UploadPart>;
};

type Deps = StoreDeps & Pick<FileDeps, 'spoolBudget'>;

/** How many bytes a multipart body may have besides the file. */
const framingBytes = 16 * 1024;
const usualFramingBytes = 1024;
const ampleRoom = { bytes: 8 * mostSegments * segmentBytes, files: 8 * mostSegments };

export async function uploadFile(deps: Deps, input: UploadFile): Promise<StoredFile> {
  const purpose = input.purpose === undefined ? undefined : findPurpose(deps.purposes, input.purpose);
  const maxBytes = purpose?.maxBytes ?? Math.max(...deps.purposes.map((each) => each.maxBytes));
  const slack = input.isBare ? 0 : framingBytes;
  if ((input.bodyLength ?? 0) > maxBytes + slack) throw tooLarge(maxBytes);
  deps.examiner.admit(input.userId);
  await deps.spoolBudget.look();
  const place = deps.spoolBudget.enter(input.userId, input.bodyLength);
  try {
    const upload = await reserve(deps, input);
    const stopHolding = upload.isReserved ? keepHolding(deps, upload.id) : () => undefined;
    try {
      return await take(deps, input, upload, place, maxBytes, slack);
    } catch (error) {
      if (upload.isReserved) await deps.files.release(upload.id).catch(() => undefined);
      throw error;
    } finally {
      stopHolding();
    }
  } finally {
    place.leave();
  }
}

type Held = {
  readonly id: ReservationId;
  readonly keyId: string | undefined;
  readonly known: KnownUpload | undefined;
  readonly isReserved: boolean;
};

async function take(
  deps: Deps,
  input: UploadFile,
  upload: Held,
  place: SpoolPlace,
  maxBytes: number,
  slack: number,
): Promise<StoredFile> {
  const wait = createWait(deps.uploadTimes, input.signal);
  const spool = createHeldSpool(() => deps.blobs.spool(), {
    inTime: (writing) => wait(writing, 'step'),
    isLarge: (input.bodyLength ?? 0) > segmentBytes + slack,
  });
  try {
    const bound = { bytes: maxBytes + slack, refusal: tooLarge(maxBytes) };
    const taken = await takeParts(input.parts(bound), spool, place, maxBytes);
    if (upload.known !== undefined)
      return repeatUpload(upload.known, await wait(deps.examiner.fingerprint(input.userId, spool.spooled), 'keep'));
    const { userId, by, digest } = input;
    const { name, declaredType } = taken;
    const settled = findSettledPurpose(deps.purposes, input.purpose, taken);
    const arrived = { id: upload.id, keyId: upload.keyId, userId, by, digest, name, declaredType, purpose: settled };
    return await storeUpload(deps, arrived, spool.spooled, wait);
  } finally {
    await wait(spool.discard(), 'release').catch(() => undefined);
  }
}

async function reserve(deps: Deps, input: UploadFile): Promise<Held> {
  const { files, quota, clock, uploadTimes } = deps;
  const now = clock.now();
  const id = newReservationId();
  const keyId = keyIdOf(input);
  if (keyId === undefined && (await hasAmpleRoom(deps, input)))
    return { id, keyId, known: undefined, isReserved: false };
  const declared = input.bodyLength ?? 0;
  const bytes = input.isBare ? declared : Math.max(0, declared - usualFramingBytes);
  const outcome = await files.reserve({
    uploadId: id,
    userId: input.userId,
    bytes,
    quota,
    keyId,
    leaseUntil: now + uploadTimes.leaseMilliseconds,
    now,
    ...(input.by && { by: input.by }),
  });
  if (outcome.kind === 'full') throw new Failure('FILE_QUOTA_EXCEEDED');
  if (outcome.kind === 'gone' || outcome.kind === 'blocked') throw ownerFailure(outcome.kind, input.by);
  if (outcome.kind === 'in progress') throw inProgress(outcome.until, now);
  const known = outcome.kind === 'known' ? outcome : undefined;
  return { id, keyId, known, isReserved: known === undefined };
}

/**
 * Far from the quota a small upload needs no reservation: as many as eight processes hold in memory, all of this user, would not reach it.
 * Whoever sends still more at once may be refused after the body instead of before. The commit that makes the file visible counts exactly.
 */
async function hasAmpleRoom({ files, quota }: Deps, input: UploadFile): Promise<boolean> {
  const { userId, isBare, bodyLength } = input;
  if (bodyLength === undefined || bodyLength > segmentBytes + (isBare ? 0 : framingBytes)) return false;
  return files.hasRoom({ userId, room: ampleRoom, quota });
}

function keepHolding({ files, clock, uploadTimes }: Deps, uploadId: ReservationId): () => void {
  const { leaseMilliseconds } = uploadTimes;
  const timer = setInterval(() => {
    files.hold({ uploadId, leaseUntil: clock.now() + leaseMilliseconds }).catch(() => undefined);
  }, leaseMilliseconds / 3);
  timer.unref();
  return () => clearInterval(timer);
}

/** If the purpose is given twice, both must match. */
function findSettledPurpose(
  purposes: readonly Purpose[],
  early: string | undefined,
  { purpose: late }: Taken,
): Purpose {
  if (early !== undefined && late !== undefined && early !== late)
    throw new Failure('REQUEST_INVALID', { field: 'purpose' });
  return findPurpose(purposes, early ?? late);
}
