// POST /api/file/{id}/links: makes a link that opens one of the caller's files without a sign-in.

import type { FileDeps } from '../../../../files/deps.ts';
import { createLink } from '../../../../files/sharing/create-link.ts';
import { sharingLimits } from '../../../../files/sharing/file-link.ts';
import type { Secrets } from '../../../../kernel/crypto/secrets.ts';
import { linkedFileUrl } from '../../../interface/paths.ts';
import { defineRoute } from '../../../interface/route.ts';
import { integer, object, text } from '../../../interface/schema.ts';
import { newLink, newLinkExample } from './link-record.ts';

const { shortestSeconds, usualSeconds, longestSeconds, mostUses } = sharingLimits;

export function createFileLinkRoute(deps: FileDeps & { readonly secrets: Secrets }, publicUrl: string) {
  return defineRoute({
    summary: 'Make a link to a file',
    description:
      'Whoever has the link can open the file without a sign-in until the link expires or is revoked. Only this answer tells the link. With “uses”, each download counts, and the link stops working after the last one.',
    success: 'FILE_LINK_CREATED',
    status: 201,
    failures: ['USER_BLOCKED', 'FILE_NOT_FOUND', 'SHARING_NOT_ALLOWED', 'FILE_LINKS_FULL'],
    params: object({ id: text() }),
    takesAnyId: true,
    body: object(
      {},
      {
        expiresIn: integer({
          minimum: shortestSeconds,
          maximum: longestSeconds,
          description: `Seconds until the link expires; ${usualSeconds} if it is missing`,
          examples: [usualSeconds],
        }),
        uses: integer({ minimum: 1, maximum: mostUses, description: 'How often the file may be downloaded' }),
      },
    ),
    bodyOptional: true,
    data: newLink,
    example: newLinkExample,
    handle: async ({ params, body, caller }) => {
      const { link, token } = await createLink(deps, {
        userId: caller.userId,
        fileId: params.id,
        seconds: body.expiresIn,
        uses: body.uses,
      });
      return {
        data: {
          id: link.id,
          url: `${publicUrl}${linkedFileUrl(link.fileId, token)}`,
          expiresAt: new Date(link.expiresAt).toISOString(),
          uses: link.uses ?? null,
        },
      };
    },
  });
}
