// A stored file: its record, its id, and the port to the store of records and quotas.
import type { Act } from '../kernel/audit.ts';
import { randomText } from '../kernel/random.ts';
import type { Quota } from './quota.ts';

export type StoredFile = {
  readonly id: string;
  readonly userId: string;
  readonly purpose: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Hash of the stored bytes, in hex. */
  readonly sha256: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly createdAt: number;
};

/** 128 random bits, so an id cannot be guessed. */
export function newFileId(): string {
  return `fil_${randomText(16)}`;
}

export function isFileId(text: string): boolean {
  return /^fil_[A-Za-z0-9_-]{22}$/.test(text);
}

/** An upload under way. It reserves quota, and its Idempotency-Key if it has one, while its lease is renewed. */
export type Reservation = {
  readonly uploadId: string;
  readonly userId: string;
  /** The minimum number of bytes that will be stored. */
  readonly bytes: number;
  readonly quota: Quota;
  readonly keyId: string | undefined;
  readonly leaseUntil: number;
  readonly now: number;
};

export type ReservationOutcome =
  | { readonly kind: 'reserved' | 'full' | 'in progress' }
  | KnownUpload
  /** The user was deleted in the meantime. */
  | { readonly kind: 'gone' };

/** The key was used before. If the bytes are the same, the reply is this file. */
export type KnownUpload = { readonly kind: 'known'; readonly fingerprint: string; readonly file: StoredFile };

export type Settlement = {
  readonly uploadId: string;
  readonly file: StoredFile;
  readonly quota: Quota;
  readonly key: { readonly id: string; readonly fingerprint: string; readonly keptUntil: number } | undefined;
  readonly now: number;
};

/** `known`: the lease expired, and another upload with the same key finished first. */
export type SettlementOutcome = { readonly kind: 'stored' | 'full' | 'gone' } | KnownUpload;

export type FileStore = {
  /** Atomic: concurrent uploads never exceed a user's quota. */
  reserve(reservation: Reservation): Promise<ReservationOutcome>;
  /** Makes the file visible, ends the reservation, counts its real size and completes the key, in one commit. */
  settle(settlement: Settlement): Promise<SettlementOutcome>;
  /** Whether a settlement that failed without an outcome was committed. Waits until it can no longer commit. */
  isStored(input: { userId: string; id: string }): Promise<boolean>;
  /** Ends a reservation without a file. */
  release(uploadId: string): Promise<void>;
  /** Renews the lease of a long upload. */
  hold(input: { uploadId: string; leaseUntil: number }): Promise<void>;
  findFile(id: string): Promise<StoredFile | undefined>;
  /** The user's files, newest first. `before` is the place where the previous page ended. */
  listFiles(input: { userId: string; before: ListPlace | undefined; most: number }): Promise<StoredFile[]>;
  /** True if the user had the file. */
  deleteFile(input: { userId: string; id: string; now: number; by?: Act }): Promise<boolean>;
  /** Stored bytes and files, without uploads under way. */
  usage(userId: string): Promise<Quota>;
  /** A page of all records in the order of their ids, to compare them with the blobs. */
  listAll(input: { after: string; most: number }): Promise<StoredFile[]>;
};

export type ListPlace = { readonly createdAt: number; readonly id: string };
