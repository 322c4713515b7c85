// GET /inbox/mail/{id}: a captured mail's HTML as a mail program would show it, for a frame of the inbox page.
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import type { InboxStore } from '../../messages/inbox.ts';
import type { HostGuard } from '../guards/host.ts';

/** Its own styles, no script, nothing from elsewhere; links open beside the page. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

export function registerInboxMail(server: FastifyInstance, inbox: Pick<InboxStore, 'list'>, host: HostGuard): void {
  server.get<{ Params: { id: string } }>('/inbox/mail/:id', async (request, reply) => {
    host(request);
    const messages = await inbox.list({ to: undefined, most: 100 });
    const html = messages.find(({ id }) => id === request.params.id)?.html;
    if (html === undefined) throw new Failure('NOT_FOUND');
    return reply
      .headers({ 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' })
      .type('text/html; charset=utf-8')
      .send(html.replace(/<head>/i, '<head><base target="_blank">'));
  });
}
