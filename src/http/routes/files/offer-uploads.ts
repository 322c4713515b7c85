// OPTIONS /api/file/upload: tells clients that an upload may come in several requests, and within which limits.
import type { FileDeps } from '../../../files/deps.ts';
import { paths } from '../../interface/paths.ts';
import type { Routes } from '../../server/server.ts';
import { writeLimits } from '../../transfer/upload-fields.ts';
import { mostBytesFor } from './receive-upload.ts';

export function registerUploadOffer(
  server: Routes,
  { purposes, appendBytes, uploadLifeSeconds }: Pick<FileDeps, 'purposes' | 'appendBytes' | 'uploadLifeSeconds'>,
): void {
  const maxBytes = mostBytesFor(undefined, purposes);
  const limits = writeLimits({ maxBytes, appendBytes, ageSeconds: uploadLifeSeconds });
  server.add({
    method: 'OPTIONS',
    path: paths.uploads,
    handle: (_request, reply) => reply.code(204).headers({ allow: 'OPTIONS, POST', 'upload-limit': limits }).send(),
  });
}
