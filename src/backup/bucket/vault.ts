// A vault: the sealed bytes of all backups in a bucket, named by a keyed hash. Equal bytes are stored once, whichever backup has them.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Spool } from '../../files/spool/spool.ts';
import { type BlobStore, isContentHash } from '../../files/storage/blob-store.ts';
import type { BlobSource, BlobTarget } from '../../files/storage/copy-blob.ts';
import type { BackupKey } from '../backup-mac.ts';
import { refuseBackup } from '../finding.ts';
import type { Bucket } from './bucket.ts';
import { createObjectSizes, type ObjectSizes } from './object-sizes.ts';
import { createSealer, openSealed, sealedSize } from './seal.ts';

/** Bytes by what they are. */
export type Content = { readonly size: number; readonly sha256: string };

/** `names` are those of the bytes that it holds; a key has names of its own, so a new key sends everything anew. */
export type Vault = {
  readonly bucket: Bucket;
  readonly key: BackupKey;
  readonly names: ObjectSizes;
};

export const objectsBeginning = 'objects/';
const nameForm = /^objects\/[0-9a-f]{64}$/;

/** The key of the object in the bucket. */
export function objectKey(key: BackupKey, { sha256 }: Content): string {
  return `${objectsBeginning}${key.nameOf(isContentHash(sha256) ? sha256 : refuseBackup('a file has no hash'))}`;
}

/** Takes about a hundred bytes of memory for each object. */
export async function openVault(bucket: Bucket, key: BackupKey): Promise<Vault> {
  const names = createObjectSizes();
  for await (const { key: name, size } of bucket.list(objectsBeginning)) if (isObjectKey(name)) names.set(name, size);
  return { bucket, key, names };
}

/** Other objects in the bucket are never read or removed. */
export function isObjectKey(key: string): boolean {
  return nameForm.test(key);
}

export function holds({ key, names }: Vault, content: Content): boolean {
  return names.get(objectKey(key, content)) === sealedSize(content.size);
}

/** A store for one content. What is written is sealed at once: nothing lies on the local disk in the clear. */
export function viewOf(vault: Vault, content: Content): BlobSource & BlobTarget {
  const { bucket, key, names } = vault;
  const name = objectKey(key, content);
  return {
    spool: async () => sealWrites(await bucket.spool(), key, name),
    keep: async (spool) => {
      const { sealed, sha256 } = await (spool as SealingSpool).finish();
      await bucket.put(name, sealed, sha256);
      names.set(name, sealed.size);
    },
    read: async () => {
      const sealed = await bucket.read(name, sealedSize(content.size));
      return Readable.from(openSealed([key], { name, shown: bucket.fullName(name) }, sealed), { objectMode: false });
    },
  } satisfies Pick<BlobStore, 'spool' | 'keep' | 'read'>;
}

type SealingSpool = Spool & {
  /** After the last write. */
  finish(): Promise<{ readonly sealed: Spool; readonly sha256: string }>;
};

/** Counts the bytes as they are given. */
export function sealWrites(sealed: Spool, key: BackupKey, name: string): SealingSpool {
  const sealer = createSealer(key, name);
  const hash = createHash('sha256');
  let size = 0;
  const write = async (bytes: Buffer) => {
    if (bytes.length === 0) return;
    hash.update(bytes);
    await sealed.write(bytes);
  };
  return {
    ...sealed,
    get size() {
      return size;
    },
    write: async (chunk) => {
      size += chunk.length;
      await write(sealer.push(chunk));
    },
    finish: async () => {
      await write(sealer.end());
      return { sealed, sha256: hash.digest('hex') };
    },
  };
}
