// DELETE /api/service/files/{id}: deletes a file of any user.

import { backendAct } from '../../../backend/backend-act.ts';
import type { FileDeps } from '../../../files/deps.ts';
import { deleteFile } from '../../../files/trash/delete-file.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';

export function deleteUserFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Delete a file of a user',
    success: 'FILE_DELETED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, backend }) => {
      await deleteFile(deps, { id: params.id, by: backendAct(backend) });
      return { data: null };
    },
  });
}
