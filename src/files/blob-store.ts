// Where the bytes are: a port with a place to spool, durable keeping, and reading by range.
import type { Readable, Writable } from 'node:stream';
import type { ByteReader } from '../media/media-type.ts';

/** A file that is not there yet: it grows on disk while its bytes are counted, and vanishes unless it is kept. */
export type Spool = {
  /** On the local disk, wherever blobs are kept. */
  readonly path: string;
  readonly size: number;
  /** Waits until the disk has taken the chunk; throws STORAGE_FULL or STORAGE_UNAVAILABLE. */
  write(chunk: Buffer): Promise<void>;
  /** Another file beside it takes its place, and the bytes that it had are gone. */
  replace(path: string, size: number): Promise<void>;
  /** To be used when all is written. */
  readonly reader: ByteReader;
  discard(): Promise<void>;
};

export type BlobRange = { readonly start: number; readonly end: number };

/** Ends when all bytes are taken; throws when the target or the source breaks. */
export type Pump = (target: Writable) => Promise<void>;

export type ListedBlob = { readonly id: string; readonly size: number; readonly modifiedAt: number };

/** The name under which a storage keeps its mark: no file id, so that no list shows it. */
export const markName = 'gatehouse-installation';

export type BlobStore = {
  readonly kind: 'disk' | 's3';
  spool(): Promise<Spool>;
  /**
   * Durable under the id when it resolves, survives kill -9 and power loss. The hash (hex) is that of the bytes in the spool.
   * When the signal is aborted it fails as soon as it can, and what was stored in spite of that is removed.
   */
  keep(spool: Spool, id: string, sha256: string, signal?: AbortSignal): Promise<void>;
  /** Bytes start to end, both included. Throws STORAGE_UNAVAILABLE when the blob is missing or shorter than `size`. */
  read(id: string, range: BlobRange, size: number): Promise<Readable>;
  /** Like read, for many bytes: the function writes them to a target at its pace, with two buffers that it uses over and over. */
  pump?(id: string, range: BlobRange, size: number): Promise<Pump>;
  remove(id: string): Promise<void>;
  /** Every blob whose id is greater than `after`, by id in the order of its bytes, with constant memory; throws when the storage lists otherwise. */
  list(options?: { readonly after?: string }): AsyncIterable<ListedBlob>;
  /** The installation that the storage belongs to; undefined where none has claimed it. */
  readMark(): Promise<string | undefined>;
  /** Durable when it resolves; takes the place of another mark. Undefined takes it away. */
  writeMark(installation: string | undefined): Promise<void>;
  /** A URL that gives the bytes to whoever has it, for a short while; undefined where the storage has no such thing. */
  signUrl?(
    id: string,
    options: { seconds: number; now: number; type: string; disposition: string },
  ): string | Promise<string>;
  /** The path behind which a front proxy finds the blob; undefined where there is none. */
  internalPath?(id: string): string;
  /** Removes spools that nobody finishes any more; how many. */
  sweepSpools(olderThan: number): Promise<number>;
  /** Really asks the storage. */
  ping(): Promise<void>;
};
