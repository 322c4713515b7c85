// GET /api/service/files/{id}/content: the bytes of a file of any user, or a redirect to them.
import type { FileDeps } from '../../../files/deps.ts';
import { openFile } from '../../../files/open-file.ts';
import { defineRoute } from '../../interface/route.ts';
import { contentRoute, type SendContent } from '../files/send-content.ts';

export function getUserFileRoute(deps: FileDeps, send: SendContent) {
  return defineRoute({
    ...contentRoute,
    summary: 'Get a file of a user',
    description:
      'Supports ranges, conditional requests, HEAD and ?variant= as GET /file/{id} does. If files are in S3, ?redirect=1 asks for a short-lived URL instead of the bytes.',
    handle: async (call) => {
      const { keyId } = call.backend;
      return send(call, { opened: await openFile(deps, { keyId, id: call.params.id }), caller: keyId });
    },
  });
}
