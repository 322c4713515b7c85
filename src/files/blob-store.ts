// The port to the storage of file bytes: spooling, durable storing, and reading by range.
import type { Readable, Writable } from 'node:stream';
import type { ByteReader } from '../media/media-type.ts';

/** A temporary file of an upload under way. It counts its bytes, and disappears unless it is kept. */
export type Spool = {
  /** Always on the local disk, even if the blobs are stored elsewhere. */
  readonly path: string;
  readonly size: number;
  /** Waits until the disk has taken the chunk; throws STORAGE_FULL or STORAGE_UNAVAILABLE. */
  write(chunk: Buffer): Promise<void>;
  /** Replaces the spool by another file in the same folder, and deletes the old bytes. */
  replace(path: string, size: number): Promise<void>;
  /** Use it only after the last write. */
  readonly reader: ByteReader;
  discard(): Promise<void>;
};

export type BlobRange = { readonly start: number; readonly end: number };

/** Resolves when the target has accepted all bytes. Throws if the target or the source fails. */
export type Pump = (target: Writable) => Promise<void>;

export type ListedBlob = { readonly id: string; readonly size: number; readonly modifiedAt: number };

/** The name of the mark in a storage. It is not a file id, so no list includes it. */
export const markName = 'gatehouse-installation';

export type BlobStore = {
  readonly kind: 'disk' | 's3';
  spool(): Promise<Spool>;
  /**
   * When it resolves, the blob is durable: it survives kill -9 and power loss. The hash (hex) is of the bytes in the spool.
   * If the signal is aborted, it fails as soon as possible and removes a blob that was stored anyway.
   */
  keep(spool: Spool, id: string, sha256: string, signal?: AbortSignal): Promise<void>;
  /** Bytes `start` to `end`, both included. Throws STORAGE_UNAVAILABLE if the blob is missing or not exactly `size` bytes. */
  read(id: string, range: BlobRange, size: number): Promise<Readable>;
  /** Like `read`, for many bytes. The pump writes at the pace of its target and reuses two buffers. */
  pump?(id: string, range: BlobRange, size: number): Promise<Pump>;
  remove(id: string): Promise<void>;
  /** Blobs with an id greater than `after`, in byte order of the ids, with constant memory. Throws if the storage lists them unsorted. */
  list(options?: { readonly after?: string }): AsyncIterable<ListedBlob>;
  /** The installation that the storage belongs to. Undefined if no installation has claimed it. */
  readMark(): Promise<string | undefined>;
  /** Durable when it resolves. Replaces an existing mark; undefined removes it. */
  writeMark(installation: string | undefined): Promise<void>;
  /** A URL that serves the bytes to any client for `seconds`. Undefined if the storage does not support it. */
  signUrl?(
    id: string,
    options: { seconds: number; now: number; type: string; disposition: string },
  ): string | Promise<string>;
  /** The path where a reverse proxy finds the blob. Undefined if there is none. */
  internalPath?(id: string): string;
  /** Removes abandoned spools: those not written to since `olderThan`. Returns how many. */
  sweepSpools(olderThan: number): Promise<number>;
  /** Makes a real request to the storage. */
  ping(): Promise<void>;
};
