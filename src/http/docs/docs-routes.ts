// Serves the API reference and the error catalogue. The pages load nothing from other hosts.
import type { FastifyInstance } from 'fastify';
import { sha256 } from '../../kernel/digest.ts';
import type { RouteLine } from '../interface/route-line.ts';
import type { BrandHead } from '../pages/page-shell.ts';
import { renderErrorsPage } from './errors-page.ts';
import { renderReferencePage } from './reference-page.ts';

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files that the build creates from web/docs/. */
export type DocsFiles = { readonly styles: string; readonly script: string };

export function registerDocsRoutes(
  server: FastifyInstance,
  table: readonly RouteLine[],
  brand: BrandHead,
  { styles, script }: DocsFiles,
): void {
  const page = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy };
  serve(server, '/docs', page, () => renderReferencePage(table, brand));
  serve(server, '/docs/errors', page, () => renderErrorsPage(table, brand));
  serve(server, '/docs/docs.css', { 'content-type': 'text/css; charset=utf-8' }, () => styles);
  serve(server, '/docs/try.js', { 'content-type': 'text/javascript; charset=utf-8' }, () => script);
}

/** Renders on the first request and keeps the result, which does not change while the service runs. */
function serve(
  server: FastifyInstance,
  path: string,
  headers: Readonly<Record<string, string>>,
  make: () => string,
): void {
  let kept: { readonly body: string; readonly etag: string } | undefined;
  server.get(path, async (request, reply) => {
    kept ??= withEtag(make());
    reply.headers({ ...headers, 'cache-control': 'no-cache', etag: kept.etag });
    if (request.headers['if-none-match']?.includes(kept.etag) === true) return reply.code(304).send();
    return reply.send(kept.body);
  });
}

function withEtag(body: string): { body: string; etag: string } {
  return { body, etag: `"${sha256(body)}"` };
}
