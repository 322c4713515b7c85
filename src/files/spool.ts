// A spool: the bytes of an upload under way, on the local disk.
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
