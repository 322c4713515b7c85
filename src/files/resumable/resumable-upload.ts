// An upload in several requests (draft-ietf-httpbis-resumable-upload): its state, and the port to the store that keeps it.

import { randomText } from '../../kernel/crypto/random.ts';
import type { FileId, UploadId, UserId } from '../../kernel/ids.ts';
import type { OwnerRefusal } from '../owner-state.ts';
import type { Quota } from '../quota.ts';
import type { KnownUpload, StoredFile } from '../stored-file.ts';
import type { UploadPartInfo } from './part-store.ts';

/** 128 random bits. */
export function newUploadId(): UploadId {
  return `upl_${randomText(16)}` as UploadId;
}

export function isUploadId(text: string): text is UploadId {
  return /^upl_[A-Za-z0-9_-]{22}$/.test(text);
}

/** More small parts than any honest client makes: each request, and each `flushBytes` of a request, makes one. */
const fewParts = 1000;
const mostParts = 10_000;
const usualPartBytes = 64 * 1024;

/** The store of the file reads one part after the other, in a time that grows with its bytes. This many parts need many bytes. */
export function mostPartsOf(received: number): number {
  return Math.min(mostParts, fewParts + Math.floor(received / usualPartBytes));
}

/** How many bytes of a request a crash may lose: after this many, the bytes that arrived become durable and are recorded. */
export const flushBytes = 8 * 2 ** 20;

/** How long after its end an upload is answered with UPLOAD_EXPIRED instead of UPLOAD_NOT_FOUND, in seconds. */
export const rememberSeconds = 86_400;

export type ResumableUpload = {
  readonly id: UploadId;
  readonly userId: UserId;
  readonly purpose: string;
  readonly name: string | undefined;
  readonly declaredType: string | undefined;
  /** SHA-256 of the bytes as sent, in base64. */
  readonly digest: string | undefined;
  readonly keyId: string | undefined;
  /** Undefined until the client has sent it. */
  readonly length: number | undefined;
  /** The durable bytes: the offset that clients get. */
  readonly received: number;
  readonly parts: number;
  /** The request that may append. A newer request takes its place. */
  readonly writer: string | undefined;
  /** Who stores the whole file now, and until when unless it is renewed. */
  readonly finisher: string | undefined;
  readonly finishUntil: number | undefined;
  /** Set when the file is stored: the final answer can be repeated. */
  readonly fileId: FileId | undefined;
  readonly createdAt: number;
  /** When it ends unless bytes arrive before. Its reservation ends at the same moment. */
  readonly expiresAt: number;
  /** Set when it is stored, or was found expired. From then on nothing brings it back. It is remembered for `rememberSeconds`. */
  readonly endedAt: number | undefined;
};

export type NewUpload = Pick<
  ResumableUpload,
  'id' | 'userId' | 'purpose' | 'name' | 'declaredType' | 'digest' | 'keyId' | 'length'
> & {
  /** The request that creates the upload may append to it at once. */
  readonly writer: string;
  readonly quota: Quota;
  readonly expiresAt: number;
  readonly now: number;
};

export type CreationOutcome =
  | { readonly kind: 'created' | 'full' | OwnerRefusal }
  /** A plain upload with this key is under way, or its upload is being stored: under a lease that lasts until then, or is renewed. */
  | { readonly kind: 'in progress'; readonly until: number }
  /** The key belongs to an open upload with another purpose, length or digest. */
  | { readonly kind: 'key reused' }
  /** The key was fulfilled with exactly the bytes that the digest promises: the reply is this file. Nothing is created. */
  | KnownUpload
  /** An upload of this user with the same key waits for its next bytes. The caller is its writer now, and nothing is created. */
  | { readonly kind: 'open'; readonly upload: ResumableUpload };

type OfUpload = { readonly uploadId: UploadId; readonly userId: UserId; readonly now: number };

/** Unknown, and of another user: the same. */
export type UploadGone = { readonly kind: 'unknown' | 'expired' };

export type Taking = OfUpload & { readonly writer: string | undefined; readonly offset: number | undefined };

export type TakeOutcome =
  | UploadGone
  /** The caller is the writer now. Without a writer: nobody is, so the offset stays as the client got it. */
  | { readonly kind: 'taken'; readonly upload: ResumableUpload }
  /** Nobody is the writer now, so that the offset stays as the client got it. */
  | { readonly kind: 'wrong offset'; readonly received: number }
  /** Another request stores the file at this moment. */
  | { readonly kind: 'finishing'; readonly upload: ResumableUpload }
  /** Without the file if it was deleted since. */
  | { readonly kind: 'stored'; readonly upload: ResumableUpload; readonly file: StoredFile | undefined };

export type Advance = OfUpload & {
  readonly writer: string;
  /** New parts, and parts that have grown: together they cover the bytes from the recorded offset up to `received`. */
  readonly parts: readonly UploadPartInfo[];
  readonly received: number;
  /** Sent with the bytes. It counts if none was sent before. */
  readonly length: number | undefined;
  readonly quota: Quota;
  readonly expiresAt: number;
};

/**
 * `lost`: a newer request is the writer, or the upload has ended. `blocked`, `gone`: so is the user. `full`: an upload of unknown length
 * outgrew the quota. If not advanced, nothing is recorded, and the upload stays as it is.
 */
export type AdvanceOutcome = 'advanced' | 'lost' | 'full' | 'too many parts' | OwnerRefusal;

export type FinishOutcome =
  | Exclude<TakeOutcome, { readonly kind: 'taken' }>
  /** All parts in the order of their bytes. */
  | { readonly kind: 'begun'; readonly upload: ResumableUpload; readonly parts: readonly UploadPartInfo[] };

export type BeginFinish = OfUpload & {
  readonly finisher: string;
  readonly finishUntil: number;
  /** Where the bytes end according to the caller. An upload of unknown length gets its length by it. */
  readonly length: number;
};

export type HoldFinish = { readonly uploadId: UploadId; readonly finisher: string; readonly finishUntil: number };

export type Cancellation = OfUpload & {
  /** The writer or finisher that ends the upload because of its content. Without one, its owner cancels it. */
  readonly holder?: string;
};

/** `lost`: the holder is no longer writer or finisher, and ends nothing. A stored upload keeps its file. */
export type CancelOutcome = UploadGone['kind'] | 'cancelled' | 'finishing' | 'stored' | 'lost';

export type OpenListing = {
  readonly userId: UserId;
  readonly before: { readonly createdAt: number; readonly id: string } | undefined;
  readonly most: number;
  readonly now: number;
};

export type ResumableStore = {
  /**
   * Reserves the quota and the Idempotency-Key like `reserve`, until the upload expires, and creates the upload. The reservation has
   * the id of the upload. Only the verbs of this port change it, and `settle` and `refuseInfected` end it.
   */
  create(upload: NewUpload): Promise<CreationOutcome>;
  /**
   * Takes the upload from an older request. With a writer, to append at this offset; without one, to tell the offset, after which the
   * older request can no longer move it. While the file is being stored, nothing is taken.
   */
  take(input: Taking): Promise<TakeOutcome>;
  /** Records durable bytes, and renews the time that the upload waits. */
  advance(input: Advance): Promise<AdvanceOutcome>;
  /** All bytes are there: one caller at a time stores the file, under a lease that `holdFinish` renews. Nobody is the writer then. */
  beginFinish(input: BeginFinish): Promise<FinishOutcome>;
  /** Renews lease and reservation. False if another caller has taken over, or the upload has ended. */
  holdFinish(input: HoldFinish): Promise<boolean>;
  /** The file could not be stored for now: the upload waits for another attempt. */
  leaveFinish(input: { readonly uploadId: UploadId; readonly finisher: string }): Promise<void>;
  /** Ends the upload and its reservation, and forgets it. Its parts are removed by the caller. */
  cancel(input: Cancellation): Promise<CancelOutcome>;
  /**
   * Ended uploads whose parts must be removed from the storage: stored, or expired. Nothing brings them back. Each is listed again
   * after an hour until it is forgotten, and once more before its row goes.
   */
  listEnded(input: { readonly now: number; readonly most: number }): Promise<UploadId[]>;
  /** The parts of this upload are removed from the storage: their rows go, and what clients may still ask for stays until its time. */
  forgetParts(input: { readonly uploadId: UploadId; readonly now: number }): Promise<void>;
  /** Which of these uploads exist, to find parts without an upload. */
  known(uploadIds: readonly UploadId[]): Promise<UploadId[]>;
  /** The uploads of the user that wait for bytes or are being stored, newest first. A request that appends to one of them goes on. */
  listOpen(input: OpenListing): Promise<ResumableUpload[]>;
};
