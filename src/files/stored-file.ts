// A stored file: its record, its id, and what the store must be able to do with records and quotas.
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
  /** Of the stored bytes, in hex. */
  readonly sha256: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly createdAt: number;
};

/** 128 random bits: nobody finds a file by trying. */
export function newFileId(): string {
  return `fil_${randomText(16)}`;
}

export function isFileId(text: string): boolean {
  return /^fil_[A-Za-z0-9_-]{22}$/.test(text);
}

/** An upload under way: holds room, and an Idempotency-Key if it has one, for as long as its lease is renewed. */
export type Reservation = {
  readonly uploadId: string;
  readonly userId: string;
  /** At least so many bytes will be stored. */
  readonly bytes: number;
  readonly quota: Quota;
  readonly keyId: string | undefined;
  readonly leaseUntil: number;
  readonly now: number;
};

export type ReservationOutcome =
  | { readonly kind: 'reserved' | 'full' | 'in progress' }
  | KnownUpload
  /** The user was deleted meanwhile. */
  | { readonly kind: 'gone' };

/** The key was used before: if the same bytes come again, this is the answer. */
export type KnownUpload = { readonly kind: 'known'; readonly fingerprint: string; readonly file: StoredFile };

export type Settlement = {
  readonly uploadId: string;
  readonly file: StoredFile;
  readonly quota: Quota;
  readonly key: { readonly id: string; readonly fingerprint: string; readonly keptUntil: number } | undefined;
  readonly now: number;
};

/** `known`: the lease ran out, and another upload with the same key was faster. */
export type SettlementOutcome = { readonly kind: 'stored' | 'full' | 'gone' } | KnownUpload;

export type FileStore = {
  /** However many uploads race, a user's quota is never exceeded. */
  reserve(reservation: Reservation): Promise<ReservationOutcome>;
  /** Makes the file visible, ends the reservation, counts its true size, and fulfils the key: one commit. */
  settle(settlement: Settlement): Promise<SettlementOutcome>;
  /** What became of a settlement that failed without an outcome: waits until no commit of it can come any more. */
  isStored(input: { userId: string; id: string }): Promise<boolean>;
  /** Ends a reservation without a file. */
  release(uploadId: string): Promise<void>;
  /** Renews the lease of a long upload. */
  hold(input: { uploadId: string; leaseUntil: number }): Promise<void>;
  findFile(id: string): Promise<StoredFile | undefined>;
  /** The user's own, newest first; `before` is the place where the last page ended. */
  listFiles(input: { userId: string; before: ListPlace | undefined; most: number }): Promise<StoredFile[]>;
  /** True when the user had it. */
  deleteFile(input: { userId: string; id: string; now: number; by?: Act }): Promise<boolean>;
  /** What is stored, without uploads under way. */
  usage(userId: string): Promise<Quota>;
  /** A page of all records, by id: for comparing with the blobs. */
  listAll(input: { after: string; most: number }): Promise<StoredFile[]>;
};

export type ListPlace = { readonly createdAt: number; readonly id: string };
