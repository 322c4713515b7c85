// GET /api/file/purposes: the purposes of uploads, and the caller's storage quota.
import type { FileDeps } from '../../../files/deps.ts';
import { acceptOf, extensionsOf, type Purpose } from '../../../files/purpose.ts';
import { defineRoute } from '../../interface/route.ts';
import { flag, integer, list, named, object, oneOf, text } from '../../interface/schema.ts';

const purposeSchema = named(
  'Purpose',
  object(
    {
      name: text(),
      types: list(text()),
      extensions: list(text()),
      accept: text({ description: 'For the accept attribute of a file input' }),
      maxBytes: integer(),
      variants: list(text({ description: 'For ?variant= of GET /file/{id}' })),
      readableBy: oneOf(['owner', 'named', 'signed-in']),
      links: flag({ description: 'Whether owners may make links to files' }),
      served: oneOf(['inline', 'attachment']),
    },
    { maxPixels: integer(), keepFor: text({ description: 'How long a file is kept: 30d' }) },
  ),
);

export function listPurposesRoute({ clock, files, trash, purposes, quota, trashSeconds }: FileDeps) {
  const shown = purposes.map(describe);
  return defineRoute({
    summary: 'List the upload purposes',
    description:
      'Returns the allowed types, sizes and readers of each purpose, so that clients can refuse a file before they send it.',
    success: 'PURPOSES',
    failures: [],
    data: object({
      purposes: list(purposeSchema),
      quota: object({
        usedBytes: integer({ description: 'Stored files, with the trash' }),
        maxBytes: integer({
          description:
            'An upload of at most maxBytes - usedBytes - reservedBytes + trashBytes fits: the trash makes way',
        }),
        usedFiles: integer({ description: 'Stored files, with the trash' }),
        maxFiles: integer(),
        trashBytes: integer({ description: 'How much of usedBytes is in the trash' }),
        trashFiles: integer({ description: 'How many of usedFiles are in the trash' }),
        reservedBytes: integer({ description: 'What uploads in progress have reserved. It is not part of usedBytes' }),
        reservedFiles: integer({ description: 'Uploads in progress. They are not part of usedFiles' }),
      }),
      trashSeconds: integer({
        description: 'How long a deleted file can be restored. 0: there is no trash, and a deletion is for good',
      }),
    }),
    handle: async ({ caller }) => {
      const { userId } = caller;
      const [used, inTrash, reserved] = await Promise.all([
        files.usage(userId),
        trash.measureTrash(userId),
        files.measureReserved({ userId, now: clock.now() }),
      ]);
      const usage = {
        usedBytes: used.bytes,
        maxBytes: quota.bytes,
        usedFiles: used.files,
        maxFiles: quota.files,
        trashBytes: inTrash.bytes,
        trashFiles: inTrash.files,
        reservedBytes: reserved.bytes,
        reservedFiles: reserved.files,
      };
      return { data: { purposes: shown, quota: usage, trashSeconds } };
    },
  });
}

function describe({ maxSide: _notShown, variants = {}, links = false, ...purpose }: Purpose) {
  return {
    ...purpose,
    links,
    variants: Object.keys(variants),
    extensions: extensionsOf(purpose.types),
    accept: acceptOf(purpose),
  };
}
