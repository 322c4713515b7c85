// Serves files of the documentation over HTTP, as a service with some features does.
import { type DocsParts, registerDocsRoutes } from '../../../src/http/pages/docs-routes.ts';
import { serveRoutes } from './serve-routes.ts';

const gatehouse: Pick<DocsParts, 'brand' | 'has'> = {
  brand: { name: 'Gatehouse', icon: 'data:,', style: undefined },
  has: { inbox: true, scanner: true },
};

export function serveSite(
  parts: Pick<DocsParts, 'files' | 'read'> & Partial<DocsParts>,
): ReturnType<typeof serveRoutes> {
  return serveRoutes((routes) => registerDocsRoutes(routes, { ...gatehouse, ...parts }));
}
