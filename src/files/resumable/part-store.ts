// The port to the bytes of uploads in several requests. The store of records says which parts count; all others are leftovers.

import { randomText } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UploadId } from '../../kernel/ids.ts';
import type { Spool } from '../spool/spool.ts';

/** The folder of all parts in a storage. Nothing else is in it. */
export const uploadsFolder = 'uploads';

/** 128 random bits. */
export function newPartId(): string {
  return randomText(16);
}

/** A part becomes the last piece of a path or key: no dot, no slash. */
export function isPartId(text: string): boolean {
  return /^[\w-]{1,40}$/.test(text);
}

export type UploadPartInfo = {
  /** Random: no two parts of any uploads have the same. */
  readonly id: string;
  /** The place of its first byte in the upload. */
  readonly firstByte: number;
  readonly bytes: number;
};

/** Writes the bytes of one request. Two requests never write to the same part. Without a byte, there is no part. */
export type PartWriter = {
  /** Bytes written so far, durable or not. */
  readonly size: number;
  write(chunk: Buffer): Promise<void>;
  /** When it resolves, all bytes written so far survive kill -9 and power loss. Gives the parts that are new or have grown. */
  flush(): Promise<readonly UploadPartInfo[]>;
  /**
   * Releases what the writer holds on this node, and gives up a flush. `recorded`: how many of its bytes are recorded, or may be. The
   * bytes behind them are removed: they belong to no quota.
   */
  close(recorded: number): Promise<void>;
};

export type ListedUpload = { readonly id: UploadId; readonly modifiedAt: number };

export type PartStore = {
  /** How many bytes a writer holds on the local disk until they are flushed. 0 if it writes to the storage at once. */
  readonly spooledBytes: number;
  /** `length` is that of the whole upload, if it is known. No byte behind it can be written, also not later. */
  openWriter(uploadId: UploadId, firstByte: number, length: number | undefined): PartWriter;
  /**
   * The whole upload as a spool on the local disk. Its parts stay until they are removed, so that another attempt can follow.
   * Throws UPLOAD_NOT_FOUND if the storage is there, but a part is not, or is too short: another attempt cannot succeed. Throws
   * STORAGE_UNAVAILABLE if the storage is away, or if bytes are missing between two parts.
   */
  assemble(uploadId: UploadId, parts: readonly UploadPartInfo[]): Promise<Spool>;
  /** Removes all bytes of the upload, recorded or not. */
  remove(uploadId: UploadId): Promise<void>;
  /** Every upload that has stored bytes, in any order. */
  list(): AsyncIterable<ListedUpload>;
};

/** Bytes that were durable are gone, so the upload cannot become a file, and its client must begin again. */
export function lostParts(cause: unknown): Failure {
  return new Failure('UPLOAD_NOT_FOUND', {}, cause);
}

/** The parts in their order. Undefined unless each begins where the one before it ends. */
export function orderParts(parts: readonly UploadPartInfo[]): readonly UploadPartInfo[] | undefined {
  const ordered = parts.toSorted((left, right) => left.firstByte - right.firstByte);
  let next = 0;
  for (const { firstByte, bytes } of ordered) {
    if (firstByte !== next) return undefined;
    next += bytes;
  }
  return ordered;
}
