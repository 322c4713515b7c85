// Answers several ranges as multipart/byteranges, and reads them one after the other.
import { Readable } from 'node:stream';
import type { BlobStore } from '../../files/storage/blob-store.ts';
import type { StoredFile } from '../../files/stored-file.ts';
import { randomText } from '../../kernel/crypto/random.ts';
import type { ContentAnswer } from '../interface/route.ts';
import type { ByteRange } from './byte-ranges.ts';

export function multipartRanges(
  blobs: Pick<BlobStore, 'read'>,
  file: StoredFile,
  headers: Record<string, string>,
  ranges: readonly ByteRange[],
  isHead: boolean,
): ContentAnswer {
  const boundary = randomText(18);
  const heads = ranges.map(({ start, end }) =>
    Buffer.from(
      `\r\n--${boundary}\r\ncontent-type: ${headers['content-type']}\r\ncontent-range: bytes ${start}-${end}/${file.size}\r\n\r\n`,
    ),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const length = heads.reduce((sum, head) => sum + head.length, bytes) + tail.length;
  return {
    status: 206,
    headers: {
      ...headers,
      'content-type': `multipart/byteranges; boundary=${boundary}`,
      'content-length': String(length),
    },
    ...(!isHead && { content: Readable.from(write(blobs, file, ranges, heads, tail), { objectMode: false }) }),
  };
}

async function* write(
  blobs: Pick<BlobStore, 'read'>,
  file: StoredFile,
  ranges: readonly ByteRange[],
  heads: readonly Buffer[],
  tail: Buffer,
): AsyncIterable<Buffer> {
  for (const [index, range] of ranges.entries()) {
    const head = heads[index];
    if (head !== undefined) yield head;
    for await (const chunk of await blobs.read(file.id, range, file.size)) yield chunk as Buffer;
  }
  yield tail;
}
