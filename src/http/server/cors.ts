// CORS for the configured origins only, matched exactly and with credentials. Other origins get no CORS headers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-map.ts';

const requestHeaders =
  'authorization, content-type, captcha-token, rt, idempotency-key, repr-digest, x-file-purpose, content-disposition, accept-language, ask-token';
const exposedHeaders =
  'retry-after, ratelimit, ratelimit-policy, x-request-id, link, location, content-disposition, etag, repr-digest, ask-token';

export type Cors = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** Returns true if the request was a preflight and has been answered. `allowedMethods` returns the methods of a path. */
export function createCors(origins: readonly string[], allowedMethods: (path: string) => readonly string[]): Cors {
  const allowed = new Set(origins);
  return (request, reply) => {
    if (allowed.size === 0) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return false;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-allow-credentials', 'true');
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      const methods = allowedMethods(pathOf(request.url));
      if (methods.length === 0) return false;
      reply.header('access-control-allow-methods', methods.join(', '));
      reply.header('access-control-allow-headers', requestHeaders);
      reply.header('access-control-max-age', '600');
      reply.code(204).send();
      return true;
    }
    reply.header('access-control-expose-headers', exposedHeaders);
    return false;
  };
}
