// GET /api/file/{id}/readers: the users whom the caller named as readers of a file.
import type { FileDeps } from '../../../../files/deps.ts';
import { listReaders } from '../../../../files/sharing/list-readers.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';
import { readers, readersExample } from './set-readers.ts';

export function listFileReadersRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List the readers of a file',
    success: 'FILE_READERS',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    data: readers,
    example: readersExample,
    handle: async ({ params, caller }) => {
      const users = await listReaders(deps, { userId: caller.userId, fileId: params.id });
      return { data: { users: [...users] } };
    },
  });
}
