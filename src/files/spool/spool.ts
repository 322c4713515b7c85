// A spool: the bytes of an upload under way, in memory or on the local disk.
import type { ByteReader } from '#media/media-type';
import type { Segment } from './segments.ts';

/** The bytes of an upload under way. It counts them, and they disappear unless they are kept. */
export type Spool = {
  readonly size: number;
  /** Given while all bytes are in memory. Otherwise they are in a file. */
  readonly held?: Held | undefined;
  /** The file, always on the local disk, even if the blobs are stored elsewhere. */
  readonly path: string;
  /** Waits until the disk has taken the chunk; throws STORAGE_FULL or STORAGE_UNAVAILABLE. Undefined: there is nothing to wait for. */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Replaces the file by another one in the same folder, and deletes the old bytes. */
  replace(path: string, size: number): Promise<void>;
  /** Use it only after the last write. */
  readonly reader: ByteReader;
  discard(): Promise<void>;
};

export type Held = {
  /** The segment belongs to the upload until the work has settled, even if the spool is discarded before. */
  lend<T>(work: (segment: Segment) => Promise<T>): Promise<T>;
  /** The segment now begins with a file of this size. */
  resize(size: number): void;
};
