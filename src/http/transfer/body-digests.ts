// Compares a body with its digests (Content-Digest), however it is read. Its reading fails at the end if one is of other bytes.

import type { TakeChunk } from '../../files/spool/chunks.ts';
import { type ContentDigest, checkDigests } from '../../files/uploads/content-digest.ts';
import type { Body } from './upload-body.ts';

export function withDigests(body: Body, digests: readonly ContentDigest[]): Body {
  if (digests.length === 0) return body;
  const { add, finish } = checkDigests(digests);
  const adding =
    (take: TakeChunk): TakeChunk =>
    (chunk) => {
      add(chunk);
      return take(chunk);
    };
  return {
    each: (take) => body.each(adding(take)).then(finish),
    give: (take) => body.give(adding(take)).then(finish),
    [Symbol.asyncIterator]: async function* () {
      for await (const chunk of body) {
        add(chunk);
        yield chunk;
      }
      finish();
    },
    stop: body.stop,
  };
}
