// A text of any size that exists only while it is read. Its stored bytes are those that were sent.
import { createHash, randomBytes } from 'node:crypto';

export type EndlessText = {
  readonly size: number;
  read(offset: number, length: number): Buffer;
  /** In hex, of all bytes. */
  sha256(): string;
};

/** Of no round length, so that a part at a wrong place is noticed. */
const pattern = Buffer.from(randomBytes(75_000).toString('base64'));

export function createEndlessText(size: number): EndlessText {
  const read = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
    for (let at = 0; at < bytes.length; ) at += pattern.copy(bytes, at, (offset + at) % pattern.length);
    return bytes;
  };
  return {
    size,
    read,
    sha256: () => {
      const hash = createHash('sha256');
      for (let at = 0; at < size; at += 2 ** 24) hash.update(read(at, 2 ** 24));
      return hash.digest('hex');
    },
  };
}
