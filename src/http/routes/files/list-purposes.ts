// GET /api/file/purposes: the purposes of uploads, and the caller's storage quota.
import type { FileDeps } from '../../../files/deps.ts';
import { acceptOf, extensionsOf, type Purpose } from '../../../files/purpose.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, list, object, oneOf, text } from '../../interface/schema.ts';

const purposeSchema = object(
  {
    name: text(),
    types: list(text()),
    extensions: list(text()),
    accept: text({ description: 'For the accept attribute of a file input' }),
    maxBytes: integer(),
    readableBy: oneOf(['owner', 'signed-in']),
    served: oneOf(['inline', 'attachment']),
  },
  { maxPixels: integer() },
);

export function listPurposesRoute({ files, purposes, quota }: FileDeps) {
  const shown = purposes.map(describe);
  return defineRoute({
    summary: 'List the upload purposes',
    description:
      'Returns the allowed types, sizes and readers of each purpose, so that clients can refuse a file before they send it.',
    success: 'PURPOSES',
    failures: [],
    data: object({
      purposes: list(purposeSchema),
      quota: object({ usedBytes: integer(), maxBytes: integer(), usedFiles: integer(), maxFiles: integer() }),
    }),
    handle: async ({ caller }) => {
      const used = await files.usage(caller.userId);
      const usage = { usedBytes: used.bytes, maxBytes: quota.bytes, usedFiles: used.files, maxFiles: quota.files };
      return { data: { purposes: shown, quota: usage } };
    },
  });
}

function describe({ maxSide: _notShown, ...purpose }: Purpose) {
  return { ...purpose, extensions: extensionsOf(purpose.types), accept: acceptOf(purpose) };
}
