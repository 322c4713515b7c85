// Which bodies are read: JSON where a route takes it, an empty one elsewhere, and none where the route reads the stream itself.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { readBytes, readJsonBody } from './json-body.ts';

/** A body must arrive whole within this time. */
export function addBodyParsers(server: FastifyInstance, milliseconds: number): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?(;.*)?$/i.test(request.headers['content-type'] ?? ''))
      throw unsupported();
    if (/charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i.test(request.headers['content-type'] ?? '')) throw unsupported();
    return request.routeOptions.config.takesStream === true ? undefined : readJsonBody(payload, milliseconds);
  });
  // Any other type: only an empty body, and only on a route that takes no body.
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.routeOptions.config.takesStream === true) return undefined;
    if (request.routeOptions.config.takesBody === true) throw unsupported();
    if ((await readBytes(payload, milliseconds)).length > 0) throw unsupported();
    return undefined;
  });
}

/** Fastify refuses a malformed content type even if the body is empty or the route reads the body itself. Such a header is removed. */
export function dropUnusedContentType({ headers, routeOptions }: FastifyRequest): void {
  const { takesBody, takesStream } = routeOptions.config;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isReadable = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(headers['content-type'] ?? '');
  if ((takesBody !== true && isEmpty) || (takesStream === true && !isReadable)) delete headers['content-type'];
}

function unsupported(): Failure {
  return new Failure('MEDIA_TYPE_UNSUPPORTED', { list: 'application/json' });
}
