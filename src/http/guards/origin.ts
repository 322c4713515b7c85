// Guard: a request that a cookie authenticates and that changes data must come from our own pages or a configured origin.
import { Failure } from '../../kernel/failure.ts';
import type { HttpRequest } from '../server/request.ts';

export type OriginGuard = (request: HttpRequest) => void;

export function createOriginGuard(publicUrl: string, corsOrigins: readonly string[]): OriginGuard {
  const allowed = new Set([...ownOrigins(publicUrl), ...corsOrigins]);
  return ({ headers }) => {
    const { origin } = headers;
    if (origin !== undefined) {
      if (allowed.has(origin)) return;
      throw new Failure('CSRF_REJECTED');
    }
    const site = headers['sec-fetch-site'];
    // Neither header: the request is not from a browser, so not from another site's page.
    if (site === undefined || site === 'same-origin' || site === 'none') return;
    throw new Failure('CSRF_REJECTED');
  };
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** On a loopback host, the same port is the same service under every loopback name. */
function ownOrigins(publicUrl: string): string[] {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (!loopbackHosts.includes(hostname)) return [publicUrl];
  return loopbackHosts.map((host) => new URL(`${protocol}//${host}:${port}`).origin);
}
