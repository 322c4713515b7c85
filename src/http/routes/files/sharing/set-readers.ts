// PUT /api/file/{id}/readers: names the users who may read one of the caller's files.
import type { FileDeps } from '../../../../files/deps.ts';
import { sharingLimits } from '../../../../files/sharing/file-link.ts';
import { setReaders } from '../../../../files/sharing/set-readers.ts';
import { readUserId } from '../../../../kernel/ids.ts';
import { defineRoute } from '../../../interface/route.ts';
import { list, named, object, text } from '../../../interface/schema.ts';

const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

export const readers = named('FileReaders', object({ users: list(text({ description: 'The id of a user' })) }));
export const readersExample = { users: ['0197c9a2-5b1e-7c3d-9f40-1a2b3c4d5e6f'] };

export function setFileReadersRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Set the readers of a file',
    description:
      'The list replaces the one before; an empty list ends it. The users read the file at GET /file/{id}. An id of nobody is kept like any other.',
    success: 'FILE_READERS_SET',
    failures: ['USER_BLOCKED', 'FILE_NOT_FOUND', 'SHARING_NOT_ALLOWED'],
    params: object({ id: text() }),
    takesAnyId: true,
    body: object({
      users: list(text({ pattern: uuid, examples: ['0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11'] }), {
        maxItems: sharingLimits.readersPerFile,
      }),
    }),
    data: readers,
    example: readersExample,
    handle: async ({ params, body, caller }) => {
      const readers = body.users.flatMap((user) => readUserId(user) ?? []);
      const users = await setReaders(deps, { userId: caller.userId, fileId: params.id, users: readers });
      return { data: { users: [...users] } };
    },
  });
}
