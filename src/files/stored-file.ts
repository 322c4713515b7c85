// A stored file: its record, its id, and the port to the store of records and quotas.

import type { Act, BackendAct } from '../kernel/audit.ts';
import type { Brand } from '../kernel/brand.ts';
import { newId, randomText } from '../kernel/crypto/random.ts';
import type { FileId, UploadId, UserId } from '../kernel/ids.ts';
import type { OwnerRefusal } from './owner-state.ts';
import type { Quota } from './quota.ts';

export type StoredFile = {
  readonly id: FileId;
  readonly userId: UserId;
  readonly purpose: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Hash of the stored bytes, in hex. */
  readonly sha256: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly createdAt: number;
  /** Of a text. Without one it is UTF-8. */
  readonly charset: string | undefined;
  /** When it is removed, if its purpose keeps files for a time only. */
  readonly keepUntil?: number;
  /** Since when it is in the trash. Only its owner sees it there. */
  readonly deletedAt?: number;
};

export const fileIdBeginning = 'fil_';

/** 128 random bits, so an id cannot be guessed. */
export function newFileId(): FileId {
  return `${fileIdBeginning}${randomText(16)}` as FileId;
}

export function isFileId(text: string): text is FileId {
  return /^fil_[A-Za-z0-9_-]{22}$/.test(text);
}

/** Of an upload in several requests it is the id of that upload. */
export type ReservationId = UploadId | Brand<'ReservationId'>;

export function newReservationId(): ReservationId {
  return newId() as ReservationId;
}

/** An upload under way. It reserves quota, and its Idempotency-Key if it has one, while its lease is renewed. */
export type Reservation = {
  readonly uploadId: ReservationId;
  readonly userId: UserId;
  /** The minimum number of bytes that will be stored. */
  readonly bytes: number;
  readonly quota: Quota;
  readonly keyId: string | undefined;
  readonly leaseUntil: number;
  readonly now: number;
  /** Given if the back end uploads on behalf of the owner. */
  readonly by?: BackendAct;
};

export type ReservationOutcome =
  | { readonly kind: 'reserved' }
  | { readonly kind: 'full' }
  /** An upload with this key has the lease until then, unless it is renewed. */
  | { readonly kind: 'in progress'; readonly until: number }
  | KnownUpload
  /** The user was blocked or deleted in the meantime. */
  | { readonly kind: OwnerRefusal };

/** The key was used before. If the bytes are the same, the reply is this file. */
export type KnownUpload = { readonly kind: 'known'; readonly fingerprint: string; readonly file: StoredFile };

export type Settlement = {
  readonly uploadId: ReservationId;
  readonly file: StoredFile;
  readonly quota: Quota;
  readonly key: { readonly id: string; readonly fingerprint: string; readonly keptUntil: number } | undefined;
  readonly now: number;
  /** Given if the back end uploads on behalf of the owner. */
  readonly by?: BackendAct;
  /** True for an upload in several requests. The commit ends it too, whatever the outcome. */
  readonly isResumable?: boolean;
};

/**
 * `late`: its id is noted no longer, so its bytes may be gone. The upload waits as before. `known`: the lease expired, and another upload with the same key finished first. Only for an upload in several requests, `stored
 * before`: another caller has stored its file, which is the reply; `ended`: it was cancelled or expired, or that file was deleted.
 */
export type SettlementOutcome =
  | { readonly kind: 'stored' | 'late' | 'full' | 'ended' | OwnerRefusal }
  | { readonly kind: 'stored before'; readonly file: StoredFile }
  | KnownUpload;

/** An upload that is refused because of what a scanner found in it. Nothing of its content or name is kept. */
export type Infection = {
  readonly uploadId: ReservationId;
  readonly userId: UserId;
  readonly purpose: string;
  /** Size and hash (hex) of the bytes that were scanned. */
  readonly size: number;
  readonly sha256: string;
  readonly signature: string;
  readonly now: number;
  readonly by?: BackendAct;
};

export type FileDeletion = {
  readonly userId: UserId;
  readonly id: FileId;
  readonly now: number;
  /** Until when the owner can restore the file. Without it, the file is removed for good. */
  readonly trashUntil?: number;
  /** Staff, an operator or the back end, who remove files for good, also from the trash. */
  readonly by?: Act;
};

/** Whether `room` more bytes and files fit beside everything of the user that is stored or reserved, even if its lease is over. */
export type RoomQuestion = { readonly userId: UserId; readonly room: Quota; readonly quota: Quota };

export type FileStore = {
  /** True only if the user has a record of usage, which a deleted user has not. */
  hasRoom(question: RoomQuestion): Promise<boolean>;
  /** Atomic: concurrent uploads never exceed a user's quota. The oldest files in the trash make way if they must, in the same commit, many of them in commits before it. */
  reserve(reservation: Reservation): Promise<ReservationOutcome>;
  /** Makes the file visible, ends the reservation, counts its real size and completes the key, in one commit. Makes room as `reserve` does. If it makes no file, it queues the bytes. */
  settle(settlement: Settlement): Promise<SettlementOutcome>;
  /** Whether a settlement that failed without an outcome was committed. Waits until it can no longer commit. */
  isStored(input: { userId: UserId; id: FileId }): Promise<boolean>;
  /** Ends the reservation of an infected upload, and the upload in several requests with its id, and records what was found, in one commit. `gone`: the user was deleted meanwhile. */
  refuseInfected(infection: Infection): Promise<'refused' | 'gone'>;
  /** Ends a reservation without a file. */
  release(uploadId: ReservationId): Promise<void>;
  /** Renews the lease of a long upload. */
  hold(input: { uploadId: ReservationId; leaseUntil: number }): Promise<void>;
  /** Undefined also if the file is in the trash, or if its time is over. */
  findFile(input: { id: FileId; now: number }): Promise<StoredFile | undefined>;
  /** The record of a file, visible or not: its blob is not an orphan. */
  findRecord(id: FileId): Promise<StoredFile | undefined>;
  /** The user's visible files, newest first. `before` is the place where the previous page ended. */
  listFiles(input: { userId: UserId; before: ListPlace | undefined; most: number; now: number }): Promise<StoredFile[]>;
  /** True if the user had the file. It goes to the trash if `trashUntil` is given, and for good otherwise. */
  deleteFile(deletion: FileDeletion): Promise<boolean>;
  /** Stored bytes and files, with the trash and without uploads under way. */
  usage(userId: UserId): Promise<Quota>;
  /** What uploads under way have reserved besides. */
  measureReserved(input: { userId: UserId; now: number }): Promise<Quota>;
  /** A page of all records in the order of their ids, to compare them with the blobs. */
  listAll(input: { after: string; most: number }): Promise<StoredFile[]>;
};

export type ListPlace = { readonly createdAt: number; readonly id: string };
