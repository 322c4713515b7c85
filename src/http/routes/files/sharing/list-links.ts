// GET /api/file/{id}/links: the links to one of the caller's files.
import type { FileDeps } from '../../../../files/deps.ts';
import { listLinks } from '../../../../files/sharing/list-links.ts';
import { defineRoute } from '../../../interface/route.ts';
import { list, object, text } from '../../../interface/schema.ts';
import { listedLink, listedLinkExample, toListedLink } from './link-record.ts';

export function listFileLinksRoute(deps: FileDeps) {
  return defineRoute({
    summary: 'List the links to a file',
    description: 'Newest first, without those that were revoked or have expired. The link itself is not shown again.',
    success: 'FILE_LINKS',
    failures: ['FILE_NOT_FOUND'],
    params: object({ id: text() }),
    takesAnyId: true,
    data: object({ links: list(listedLink) }),
    example: { links: [listedLinkExample] },
    handle: async ({ params, caller }) => {
      const links = await listLinks(deps, { userId: caller.userId, fileId: params.id });
      return { data: { links: links.map(toListedLink) } };
    },
  });
}
