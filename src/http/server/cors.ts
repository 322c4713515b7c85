// CORS: for the configured origins with credentials, for the pages of apps without, and for anyone at public documents.
// Origins are matched exactly. Others get no CORS headers.
import { paths } from '../interface/paths.ts';
import type { HttpReply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const requestHeaders =
  'authorization, content-type, captcha-token, rt, idempotency-key, repr-digest, content-digest, x-file-purpose, content-disposition, accept-language, ask-token, device-token, upload-complete, upload-length, upload-offset, upload-draft-interop-version';
const exposedHeaders =
  'retry-after, ratelimit, ratelimit-policy, x-request-id, link, location, content-disposition, etag, repr-digest, ask-token, device-token, proof-ticket, upload-offset, upload-complete, upload-length, upload-limit';
const oauthHeaders = 'authorization, content-type';
const oauthExposed = 'retry-after, ratelimit, ratelimit-policy, www-authenticate, x-request-id, link';

/**
 * configured: the pages of CORS_ORIGINS, with cookies. apps: the pages of apps, without cookies. anyone: public documents. none:
 * calls with a service key, and addresses that browsers only navigate to; no page may read an answer.
 */
type Readers = 'configured' | 'apps' | 'anyone' | 'none';

const readersOf = new Map<string, Readers>([
  [paths.openid, 'anyone'],
  [paths.authorizationServer, 'anyone'],
  [paths.jwks, 'anyone'],
  [paths.element, 'anyone'],
  [paths.elementWorker, 'anyone'],
  [paths.elementTexts, 'anyone'],
  [paths.token, 'apps'],
  [paths.userinfo, 'apps'],
  [paths.revoke, 'apps'],
  [paths.authorize, 'none'],
  [paths.logout, 'none'],
]);

const backEndStart = `${paths.backEnd}/`;

function findReaders(path: string): Readers {
  return readersOf.get(path) ?? (path.startsWith(backEndStart) ? 'none' : 'configured');
}

export type CorsOrigins = {
  readonly origins: readonly string[];
  readonly isAppOrigin?: ((origin: string) => boolean) | undefined;
};

type Cors = (request: HttpRequest, reply: HttpReply) => boolean;

/** Returns true if the request is a preflight: then the reply has all that it needs. `allowedMethods` returns the methods of its path. */
export function createCors(
  { origins, isAppOrigin = () => false }: CorsOrigins,
  allowedMethods: (request: HttpRequest) => readonly string[],
): Cors {
  const allowed = new Set(origins);
  /** Undefined: no page may read the answer. */
  const allow = (readers: Readers, origin: string | undefined, reply: HttpReply): string | undefined => {
    if (readers === 'anyone') return '*';
    if (readers === 'none' || (readers === 'configured' && allowed.size === 0)) return undefined;
    reply.header('vary', 'Origin');
    if (origin === undefined || !(readers === 'apps' ? isAppOrigin(origin) : allowed.has(origin))) return undefined;
    return origin;
  };
  return (request, reply) => {
    const { path } = request.target;
    const readers = findReaders(path);
    const reader = allow(readers, request.headers.origin, reply);
    if (reader === undefined) return false;
    reply.header('access-control-allow-origin', reader);
    if (readers === 'configured') reply.header('access-control-allow-credentials', 'true');
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      const methods = allowedMethods(request);
      if (methods.length === 0) return false;
      reply.header('access-control-allow-methods', methods.join(', '));
      reply.header('access-control-allow-headers', readers === 'configured' ? requestHeaders : oauthHeaders);
      reply.header('access-control-max-age', '600');
      reply.code(204);
      return true;
    }
    reply.header('access-control-expose-headers', readers === 'configured' ? exposedHeaders : oauthExposed);
    return false;
  };
}
