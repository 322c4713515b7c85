// The port to a bucket of backups: sealed objects by key, put whole, read whole and listed.
import type { Readable } from 'node:stream';
import type { Spool } from '../../files/spool/spool.ts';

export type BucketObject = { readonly key: string; readonly size: number; readonly modifiedAt: number };

export type Bucket = {
  /** The object as its owner finds it, for messages. */
  fullName(key: string): string;
  /** Sealed bytes wait on the local disk until their hash is known, which the request to the bucket contains. */
  spool(): Promise<Spool>;
  /** Durable when it resolves. Replaces the object of that key. The hash (hex) is of the bytes in the spool. */
  put(key: string, spool: Pick<Spool, 'reader'>, sha256: string): Promise<void>;
  /** Throws a Failure if there is no object of exactly that size. */
  read(key: string, size: number): Promise<Readable>;
  /** The objects whose key begins so. */
  list(beginning: string): AsyncIterable<BucketObject>;
  remove(key: string): Promise<void>;
};
