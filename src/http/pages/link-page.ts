// GET /login/link: the page that a login link opens. Opening it, by anyone, redeems nothing.
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { html, toText } from '../../kernel/html.ts';
import type { Language } from '../../kernel/language.ts';
import { failureMessage } from '../catalogue.ts';
import { linkPageTexts } from './link-page-texts.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerLinkPage(server: FastifyInstance, brandName: string): void {
  const files = {
    'link-page.js': { type: 'text/javascript; charset=utf-8', text: read('link-page.js') },
    'link-page.css': { type: 'text/css; charset=utf-8', text: read('link-page.css') },
  };
  server.get('/login/link', async (request, reply) =>
    reply
      .header('content-security-policy', policy)
      .header('x-robots-tag', 'noindex')
      .header('vary', 'Accept-Language, Origin')
      .type('text/html; charset=utf-8')
      .send(writePage(request.language, brandName)),
  );
  for (const [name, { type, text }] of Object.entries(files)) {
    server.get(`/login/${name}`, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(type).send(text),
    );
  }
}

function writePage(language: Language, brandName: string): string {
  const texts = linkPageTexts[language];
  const offline = failureMessage(language, 'SERVICE_UNAVAILABLE', {});
  return toText(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${texts.title} · ${brandName}</title>
<link rel="stylesheet" href="/login/link-page.css">
<script type="module" src="/login/link-page.js"></script>
</head>
<body data-confirm="${texts.confirm}" data-done="${texts.done}" data-offline="${offline}">
<main>
<h1>${brandName}</h1>
<p id="status" role="status" aria-live="polite">${texts.checking}</p>
<p id="account" hidden></p>
<button id="go" type="button" hidden>${texts.button}</button>
<noscript><p class="failure">${texts.noScript}</p></noscript>
</main>
</body>
</html>
`);
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
