// DELETE /api/file/{id}/links and …/links/{linkId}: ends all links to one of the caller's files, or one of them.
import type { FileDeps } from '../../../../files/deps.ts';
import { revokeLinks } from '../../../../files/sharing/revoke-links.ts';
import { defineRoute } from '../../../interface/route.ts';
import { object, text } from '../../../interface/schema.ts';

export function revokeFileLinksRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Revoke all links to a file',
    description: 'They stop working at once. Succeeds too if there is none.',
    success: 'FILE_LINKS_REVOKED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      await revokeLinks(deps, { userId: caller.userId, fileId: params.id });
      return { data: null };
    },
  });
}

export function revokeFileLinkRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'Revoke a link to a file',
    description: 'It stops working at once. An unknown link is answered like an unknown file.',
    success: 'FILE_LINK_REVOKED',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text(), linkId: text() }),
    takesAnyId: true,
    handle: async ({ params, caller }) => {
      await revokeLinks(deps, { userId: caller.userId, fileId: params.id, linkId: params.linkId });
      return { data: null };
    },
  });
}
