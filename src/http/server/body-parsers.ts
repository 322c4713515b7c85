// Which bodies are read: JSON or a form where a route takes it, an empty one elsewhere, none where the route reads the stream itself.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Parameters, readParameters } from '../../apps/parameters.ts';
import { Failure } from '../../kernel/failure.ts';
import { readBytes, readJsonBody } from './json-body.ts';

const formType = 'application/x-www-form-urlencoded';

/** A body must arrive whole within this time. `countAddress` counts a request whose route would have counted it after its body. */
export function addBodyParsers(
  server: FastifyInstance,
  milliseconds: number,
  countAddress: (address: string) => void,
): void {
  const readForm = async (request: FastifyRequest, payload: FastifyRequest['raw']): Promise<Parameters | undefined> => {
    try {
      const bytes = await readBytes(payload, milliseconds);
      if (bytes.length === 0) return undefined;
      if (!isForm(request.headers['content-type'])) throw unsupported(formType);
      return readParameters(decodeForm(bytes));
    } catch (failure) {
      if (request.routeOptions.config.isCountedByKey === true) countAddress(request.clientAddress);
      throw failure;
    }
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.routeOptions.config.takesForm === true) return readForm(request, payload);
    if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?(;.*)?$/i.test(request.headers['content-type'] ?? ''))
      throw unsupported();
    if (/charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i.test(request.headers['content-type'] ?? '')) throw unsupported();
    return request.routeOptions.config.takesStream === true ? undefined : readJsonBody(payload, milliseconds);
  });
  // Any other type: only an empty body, and only on a route that takes no body.
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.routeOptions.config.takesStream === true) return undefined;
    if (request.routeOptions.config.takesForm === true) return readForm(request, payload);
    if (request.routeOptions.config.takesBody === true) throw unsupported();
    if ((await readBytes(payload, milliseconds)).length > 0) throw unsupported();
    return undefined;
  });
}

/** Fastify refuses a malformed content type even if the body is empty or the route reads the body itself. Such a header is removed. */
export function dropUnusedContentType({ headers, routeOptions }: FastifyRequest): void {
  const { takesBody, takesStream, takesForm } = routeOptions.config;
  // A route that reads the body itself uses the type of an empty body too: it declares what follows in other requests.
  const isEmpty =
    takesStream !== true && headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isReadable = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(headers['content-type'] ?? '');
  if ((takesBody !== true && isEmpty) || ((takesStream ?? takesForm) === true && !isReadable))
    delete headers['content-type'];
}

/** A form has no charset of its own: it is UTF-8. */
function isForm(type: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(type ?? '');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeForm(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Failure('REQUEST_INVALID', { field: 'body' });
  }
}

function unsupported(list = 'application/json'): Failure {
  return new Failure('MEDIA_TYPE_UNSUPPORTED', { list });
}
