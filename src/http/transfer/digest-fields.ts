// The digests that a client sends (RFC 9530), of a whole file or of the content of one request: how they are read.
import type { ContentDigest } from '../../files/uploads/content-digest.ts';
import { Failure } from '../../kernel/failure.ts';
import { readDictionary } from './structured-fields.ts';

const lengths = { 'sha-256': 32, 'sha-512': 64 } as const;

/** The digest of the whole file: SHA-256, in base64. Undefined if the client sends none, or only others. */
export function readReprDigest(header: string | undefined): string | undefined {
  return readDigest(header, 'repr-digest', 'sha-256')?.toString('base64');
}

/** The digests of the content of this request that can be checked. */
export function readContentDigests(header: string | undefined): readonly ContentDigest[] {
  const [sha256, sha512] = [
    readDigest(header, 'content-digest', 'sha-256'),
    readDigest(header, 'content-digest', 'sha-512'),
  ];
  return [
    ...(sha256 === undefined ? [] : [{ algorithm: 'sha256', value: sha256 } as const]),
    ...(sha512 === undefined ? [] : [{ algorithm: 'sha512', value: sha512 } as const]),
  ];
}

function readDigest(
  header: string | undefined,
  field: 'repr-digest' | 'content-digest',
  algorithm: keyof typeof lengths,
): Buffer | undefined {
  if (header === undefined) return undefined;
  const members = readDictionary(header);
  if (members === undefined) throw new Failure('REQUEST_INVALID', { field });
  const digest = members.get(algorithm);
  if (digest === undefined) return undefined;
  if (digest.kind !== 'bytes' || digest.value.length !== lengths[algorithm])
    throw new Failure('REQUEST_INVALID', { field });
  return digest.value;
}
