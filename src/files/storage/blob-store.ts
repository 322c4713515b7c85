// The port to the storage of file bytes: spooling, durable storing, and reading by range.

import type { Readable, Writable } from 'node:stream';
import type { Brand } from '../../kernel/brand.ts';
import type { FileId } from '../../kernel/ids.ts';
import type { PartStore } from '../resumable/part-store.ts';
import type { Spool } from '../spool/spool.ts';

export type BlobRange = { readonly start: number; readonly end: number };

/** Resolves when the target has accepted all bytes. Throws if the target or the source fails. */
export type Pump = (target: Writable) => Promise<void>;

/** The bytes of a blob in a file on the local disk, until it is released. It must not be changed. */
export type LocalCopy = { readonly path: string; release(): Promise<void> };

/** SHA-256 of the bytes in hex. Backups name their files by it. */
export type ContentHash = Brand<'ContentHash'>;

/** What a blob may be named by. A path or a key is made of nothing else, so a raw text does not compile. */
export type BlobName = FileId | ContentHash;

export function isContentHash(text: string): text is ContentHash {
  return /^[0-9a-f]{64}$/.test(text);
}

export type ListedBlob = { readonly id: FileId; readonly size: number; readonly modifiedAt: number };

/** The name of the mark in a storage. It is not a file id, so no list includes it. */
export const markName = 'gatehouse-installation';

/** The folder of all variants in a storage. Nothing else is in it, and all of it can be made again. */
export const variantsFolder = 'variants';

export type BlobStore = {
  readonly kind: 'disk' | 's3';
  /** The bytes of uploads in several requests. No list of blobs includes them. */
  readonly parts: PartStore;
  spool(): Promise<Spool>;
  /**
   * When it resolves, the blob is durable: it survives kill -9 and power loss. The hash (hex) is of the bytes in the spool.
   * If the signal is aborted, it fails as soon as possible and removes a blob that was stored anyway.
   */
  keep(spool: Spool, id: BlobName, sha256: string, signal?: AbortSignal): Promise<void>;
  /** Bytes `start` to `end`, both included. Throws STORAGE_UNAVAILABLE if the blob is missing or not exactly `size` bytes. */
  read(id: BlobName, range: BlobRange, size: number): Promise<Readable>;
  /** Like `read`, for many bytes. The pump writes at the pace of its target and reuses two buffers. */
  pump?(id: BlobName, range: BlobRange, size: number): Promise<Pump>;
  /** Like `read`, for programs that need a path. */
  openLocally(id: BlobName, size: number): Promise<LocalCopy>;
  /** Removes the variants of the blob, then the blob. So while variants exist, the list has the id. */
  remove(id: FileId): Promise<void>;
  /** A picture that was made of the blob. Undefined if it is not there: variants may disappear, and are made again. */
  readVariant(id: FileId, name: string): Promise<Buffer | undefined>;
  /** Replaces the variant at once: a reader gets the old bytes or the new ones. The last of two nodes wins. */
  keepVariant(id: FileId, name: string, bytes: Buffer): Promise<void>;
  /**
   * Blobs with an id greater than `after`, in byte order of the ids, with constant memory. Throws if the storage lists them unsorted.
   * If only variants are left of an id, it is listed with size 0, so that the sweep removes them.
   */
  list(options?: { readonly after?: string }): AsyncIterable<ListedBlob>;
  /** The installation that the storage belongs to, or `foreignMark`. Undefined if no installation has claimed it. */
  readMark(): Promise<string | undefined>;
  /** Durable when it resolves. Replaces an existing mark; undefined removes it. */
  writeMark(installation: string | undefined): Promise<void>;
  /** A URL that serves the bytes to any client for `seconds`. Undefined if the storage does not support it. */
  signUrl?(
    id: FileId,
    options: { seconds: number; now: number; type: string; disposition: string },
  ): string | Promise<string>;
  /** The path where a reverse proxy finds the blob. Undefined if there is none. */
  internalPath?(id: BlobName): string;
  /** Removes abandoned spools: those not written to since `olderThan`. Returns how many. */
  sweepSpools(olderThan: number): Promise<number>;
  /** Makes a real request to the storage. */
  ping(): Promise<void>;
};
