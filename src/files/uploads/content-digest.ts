// The digests of the content of one request (RFC 9530): whether the bytes that arrived are those that were sent.
import { createHash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';

export type ContentDigest = { readonly algorithm: 'sha256' | 'sha512'; readonly value: Buffer };

type DigestCheck = {
  add(chunk: Buffer): void;
  /** After the last chunk, once: whether the bytes are those of every digest. */
  isRight(): boolean;
  /** Like `isRight`, but throws FILE_DIGEST_MISMATCH if they are others. */
  finish(): void;
};

export function checkDigests(digests: readonly ContentDigest[]): DigestCheck {
  const hashes = digests.map(({ algorithm, value }) => ({ hash: createHash(algorithm), value }));
  const isRight = () => hashes.every(({ hash, value }) => hash.digest().equals(value));
  return {
    add: (chunk) => {
      for (const { hash } of hashes) hash.update(chunk);
    },
    isRight,
    finish: () => {
      if (!isRight()) throw new Failure('FILE_DIGEST_MISMATCH');
    },
  };
}
