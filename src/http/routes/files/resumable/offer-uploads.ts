// OPTIONS of /api/file/upload and of an upload: says that an upload may come in several requests, and within which limits.
import type { FileDeps } from '../../../../files/deps.ts';
import { paths } from '../../../interface/paths.ts';
import type { Routes } from '../../../server/server.ts';
import { partialUploadType, writeLimits } from '../../../transfer/upload-fields.ts';
import { mostBytesFor } from '../uploads/receive-upload.ts';

/** Without a sign-in, and the same for every id: it reveals nothing about an upload. */
export function registerUploadOffer(
  server: Routes,
  { purposes, appendBytes, uploadLifeSeconds }: Pick<FileDeps, 'purposes' | 'appendBytes' | 'uploadLifeSeconds'>,
): void {
  const maxBytes = mostBytesFor(undefined, purposes);
  const limits = writeLimits({ maxBytes, appendBytes, ageSeconds: uploadLifeSeconds });
  const offer = (path: string, allow: string) =>
    server.add({
      method: 'OPTIONS',
      path,
      handle: (_request, reply) =>
        reply.code(204).headers({ allow, 'accept-patch': partialUploadType, 'upload-limit': limits }).send(),
    });
  offer(paths.uploads, 'OPTIONS, POST');
  offer(paths.upload, 'DELETE, GET, HEAD, OPTIONS, PATCH');
}
