// GET /inbox/mail/{id}: the HTML of a captured mail, for a frame of the inbox page.
import { Failure } from '../../kernel/failure.ts';
import type { InboxStore } from '../../messages/inbox.ts';
import type { HostGuard } from '../guards/host.ts';
import type { Routes } from '../server/server.ts';

/** Allows inline styles, but no scripts and nothing from other hosts. Links open in a new tab. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

export function registerInboxMail(server: Routes, inbox: Pick<InboxStore, 'list'>, host: HostGuard): void {
  server.get('/inbox/mail/:id', async (request, reply) => {
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
