// Variants in S3: <prefix>variants/<file id>/<name>. An operator may let the storage expire them.

import { hash } from 'node:crypto';
import { type ListedBlob, variantsFolder } from '../../files/storage/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import { isStoredName } from '../../files/variants/variant.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { FileId } from '../../kernel/ids.ts';
import type { S3Request } from './s3-client.ts';
import type { ListedObject } from './s3-list-page.ts';
import { unavailable } from './s3-outcome.ts';

/** What an id has in the bucket. */
type StoredVariants = Pick<ListedBlob, 'id' | 'modifiedAt'>;

export function variantKey(id: FileId, name: string): string {
  if (!isFileId(id) || !isStoredName(name)) throw new Error('not the name of a variant');
  return `${variantsFolder}/${id}/${name}`;
}

/** The common beginning of the variants of one file. */
export function variantKeys(id: FileId): string {
  return `${variantsFolder}/${id}/`;
}

/** Undefined for an object of another program. */
export function parseVariantKey(key: string): { readonly id: FileId; readonly name: string } | undefined {
  const [folder, id = '', name = '', ...more] = key.split('/');
  const isVariant = folder === variantsFolder && isStoredName(name) && more.length === 0;
  return isVariant && isFileId(id) ? { id, name } : undefined;
}

export function bodyOfBytes(bytes: Buffer): Required<S3Request>['body'] {
  const read = async (position: number, length: number) => bytes.subarray(position, position + length);
  return { reader: { size: bytes.length, read }, sha256: hash('sha256', bytes, 'hex') };
}

/** The comparison with the records would report what is out of order as missing. */
export function unsorted(): Failure {
  return unavailable('S3 list is not sorted by key, or does not start after the requested key').failure;
}

/** Objects of all files, in the order of their keys, as one entry for each file with an id greater than `after`. */
export async function* groupVariants(
  objects: AsyncIterable<ListedObject>,
  after: string,
): AsyncIterable<StoredVariants> {
  let last = after;
  for await (const { key, modifiedAt } of objects) {
    const { id } = parseVariantKey(key) ?? {};
    if (id === undefined || id === last) continue;
    if (id < last) throw unsorted();
    last = id;
    yield { id, modifiedAt };
  }
}

/** Adds the ids that have only variants left, with size 0. Both streams are in the order of ids. */
export async function* addStrays(
  blobs: AsyncIterable<ListedBlob>,
  variants: AsyncIterable<StoredVariants>,
): AsyncIterable<ListedBlob> {
  const source = variants[Symbol.asyncIterator]();
  try {
    let next = await source.next();
    for await (const blob of blobs) {
      for (; next.done !== true && next.value.id < blob.id; next = await source.next())
        yield { ...next.value, size: 0 };
      if (next.done !== true && next.value.id === blob.id) next = await source.next();
      yield blob;
    }
    for (; next.done !== true; next = await source.next()) yield { ...next.value, size: 0 };
  } finally {
    await source.return?.();
  }
}
