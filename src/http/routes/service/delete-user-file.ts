// DELETE /api/service/files/{id}: deletes a file of any user.

import type { FileDeps } from '../../../files/deps.ts';
import { deleteFile } from '../../../files/trash/delete-file.ts';
import { serviceAct } from '../../../service/service-act.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';

export function deleteUserFileRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Delete a file of a user',
    success: 'FILE_DELETED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, service }) => {
      await deleteFile(deps, { id: params.id, by: serviceAct(service) });
      return { data: null };
    },
  });
}
