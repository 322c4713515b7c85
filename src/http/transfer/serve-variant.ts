// Serves a variant like a file of its own. This service always sends the bytes itself: they are few, and in no record.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type MediaType, mediaTypes } from '#media/media-type';
import type { VariantFormat, VariantSource } from '../../files/variants/variant.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ContentAnswer } from '../interface/route.ts';
import { describeFile } from './file-head.ts';
import { type FileRequest, type ServedBlobs, serveFile } from './serve-file.ts';

const typeOf: Readonly<Record<VariantFormat, MediaType>> = { webp: 'image/webp', avif: 'image/avif' };

export async function serveVariant(
  { file, variant }: VariantSource,
  bytes: Buffer,
  clock: Clock,
  request: Omit<FileRequest, 'wantsRedirect'>,
): Promise<ContentAnswer> {
  const type = typeOf[variant.format];
  const name = `${file.name.replace(/\.[^.]*$/, '')}.${mediaTypes[type].extensions[0]}`;
  const record = { ...file, type, name, size: bytes.length, sha256: hash('sha256', bytes) };
  const blobs: ServedBlobs = {
    read: async (_id, { start, end }) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
  };
  const parts = { blobs, smallBlobs: () => bytes, headOf: describeFile, clock, mode: 'stream' as const };
  const answer = await serveFile(parts, record, { ...request, wantsRedirect: false });
  return { ...answer, headers: { ...answer.headers, vary: `Accept, ${answer.headers.vary}` } };
}
