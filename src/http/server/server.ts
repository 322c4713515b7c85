// The HTTP server: parsers, bounds, hooks, and the envelope for everything that never reaches a route.
import type { Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { LimitRule } from '../../abuse/limits.ts';
import { Failure } from '../../kernel/failure.ts';
import { chooseLanguage } from '../../kernel/language.ts';
import type { Log, Metrics } from '../../kernel/telemetry.ts';
import { createRateGuard } from '../guards/rate.ts';
import { routePattern } from '../interface/request-context.ts';
import { checkHead } from './check-head.ts';
import type { ClientAddress } from './client-address.ts';
import { createCors } from './cors.ts';
import { drain } from './drain.ts';
import { createErrorHandler, sendFailure } from './error-handler.ts';
import type { Front } from './front.ts';
import { maxBodyBytes, readBytes, readJsonBody } from './json-body.ts';
import { createPathMap, pathOf } from './path-map.ts';
import { writeRaw } from './raw-errors.ts';
import { requestId } from './request-id.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { stopAccepting } from './stop-accepting.ts';
import { beginUpload } from './uploads-under-way.ts';
import { createValidators } from './validators.ts';

export type ServerParts = {
  readonly front: Front;
  readonly publicUrl: string;
  readonly clientAddress: ClientAddress;
  readonly corsOrigins: readonly string[];
  readonly requestsPerIp: readonly LimitRule[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** True once the service is told to stop: answers close their connections as soon as no new ones are taken. */
  readonly isStopping: () => boolean;
};

const filePath = '/file/:id';

/** Health is asked by machines that must not be limited, and says nothing that could be abused. */
const unlimited = new Set(['/livez', '/readyz']);

export function createHttpServer(parts: ServerParts): FastifyInstance {
  const { front, publicUrl, log } = parts;
  const headers = createSecurityHeaders(publicUrl.startsWith('https:'));
  const validators = createValidators();
  const server = fastify({
    logger: false,
    // Nothing here waits for anybody else, and a machine that is slow for a while is no reason to give up.
    pluginTimeout: 0,
    bodyLimit: maxBodyBytes,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // The asterisk names the server as a whole; the router would take it for the front page.
    rewriteUrl: ({ url = '/' }) => (url === '*' ? '/*' : escapeBadId(url)),
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false, caseSensitive: true },
    schemaController: { compilersFactory: { buildValidator: validators.build, buildSerializer: () => writeJson } },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
    serverFactory: (answer) => {
      front.take(answer);
      return front.server;
    },
    // The front answers these itself.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      beginRequest(parts, headers, request as FastifyRequest, reply as FastifyReply);
      sendFailure(
        new Failure('REQUEST_INVALID', { field: 'url' }),
        request as FastifyRequest,
        reply as FastifyReply,
        publicUrl,
      );
      log.debug('bad url', { code: error.code });
    },
  });
  server.decorateRequest('clientAddress', '');
  server.decorateRequest('language', 'en');
  server.decorateRequest('caller', undefined);
  server.decorateRequest('admin', undefined);
  server.decorateRequest('failureCode', undefined);
  server.decorateRequest('failureCause', undefined);
  server.decorateRequest('struckLimit', undefined);
  addHooks(server, parts, headers);
  addParsers(server);
  const handleError = createErrorHandler(publicUrl, log);
  server.setErrorHandler((error, request, reply) => {
    // Methods that Node's parser knows and the router does not (those of RTSP) come here past every hook.
    if (!('language' in request)) beginRequest(parts, headers, request, reply);
    handleError(error, request, reply);
  });
  validators.warmUp(server);
  server.addHook('preClose', () => stopAccepting(front.server));
  // One that listened before it was handed over is not closed by Fastify.
  server.addHook('onClose', () => closed(front.server));
  return server;
}

function addHooks(server: FastifyInstance, parts: ServerParts, headers: Readonly<Record<string, string>>): void {
  const { publicUrl, log, metrics } = parts;
  const paths = createPathMap();
  const cors = createCors(parts.corsOrigins, paths.methodsAt);
  const checkRate = createRateGuard(parts.requestsPerIp, 'requests-per-ip');
  server.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  server.addHook('onRequest', async (request, reply) => {
    beginRequest(parts, headers, request, reply);
    const isPreflight = cors(request, reply);
    try {
      checkHead(request.raw);
    } catch (refusal) {
      // After a doubtful head two readers may differ about where the next request begins.
      reply.header('connection', 'close');
      throw refusal;
    }
    if (isPreflight) return reply;
    forgetVoidType(request);
    if (request.routeOptions.config.takesStream === true) beginUpload(request.raw.socket);
    if (!unlimited.has(request.url)) checkRate(request.clientAddress);
    // Before the body is looked at: what is wrong with it does not matter where nothing takes it.
    if (request.is404) throw refuseAt(paths.methodsAt(pathOf(request.url)));
  });
  server.addHook('onResponse', async (request, reply) => {
    drain(request.raw);
    const facts = {
      method: request.method,
      route: routePattern(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    };
    metrics.request(facts);
    if (request.failureCode !== undefined) metrics.count('failures', { route: facts.route, code: request.failureCode });
    if (request.struckLimit !== undefined) metrics.count('limits_struck', { limit: request.struckLimit });
    if (facts.route === filePath && isContent(request.method, facts.status))
      metrics.count('file_bytes', { direction: 'out' }, Number(reply.getHeader('content-length') ?? 0));
    log[facts.status >= 500 ? 'warn' : 'info']('request', {
      requestId: request.id,
      ...facts,
      seconds: Number(facts.seconds.toFixed(6)),
      ...(request.failureCode !== undefined && { failure: request.failureCode }),
      ...(facts.status >= 500 && causeOf(request)),
    });
  });
  // Node closes a CONNECT without a word; it deserves an answer like any other method.
  server.server.on('connect', ({ url = '' }, socket) => {
    const methods = paths.methodsAt(pathOf(url));
    writeRaw(socket, refuseAt(methods.length === 0 ? ['GET'] : methods), headers, publicUrl);
  });
}

/** Why the service could not do what it should; the caller is never told. */
function causeOf({ failureCause }: FastifyRequest): { cause?: string } {
  return failureCause instanceof Error ? { cause: failureCause.message } : {};
}

const writeJson = () => (data: unknown) => JSON.stringify(data);

function isContent(method: string, status: number): boolean {
  return method === 'GET' && (status === 200 || status === 206);
}

function refuseAt(methods: readonly string[]): Failure {
  return methods.length === 0
    ? new Failure('NOT_FOUND')
    : new Failure('METHOD_NOT_ALLOWED', { allow: methods.join(', ') });
}

function beginRequest(
  parts: ServerParts,
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.headers(headers);
  reply.header('x-request-id', request.id);
  if (parts.isStopping() && !request.server.server.listening) reply.header('connection', 'close');
  request.language = chooseLanguage(request.headers['accept-language']);
  const forwarded = request.headers['x-forwarded-for'];
  request.clientAddress = parts.clientAddress(
    request.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
  );
}

function addParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?(;.*)?$/i.test(request.headers['content-type'] ?? ''))
      throw unsupported();
    if (/charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i.test(request.headers['content-type'] ?? '')) throw unsupported();
    return request.routeOptions.config.takesStream === true ? undefined : readJsonBody(payload);
  });
  // Any other type: nothing but an empty body, and only where no body is wanted.
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if (request.routeOptions.config.takesStream === true) return undefined;
    if (request.routeOptions.config.takesBody === true) throw unsupported();
    if ((await readBytes(payload)).length > 0) throw unsupported();
    return undefined;
  });
}

/** A content type that Fastify cannot read is an error to it even where nothing follows, or where the route reads the body itself. */
function forgetVoidType({ headers, routeOptions }: FastifyRequest): void {
  const { takesBody, takesStream } = routeOptions.config;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const isReadable = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(headers['content-type'] ?? '');
  if ((takesBody !== true && isEmpty) || (takesStream === true && !isReadable)) delete headers['content-type'];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takesBody?: boolean;
    takesStream?: boolean;
  }
}

function unsupported(): Failure {
  return new Failure('MEDIA_TYPE_UNSUPPORTED', { list: 'application/json' });
}

/** An id that cannot be decoded is an id that does not exist, not a bad request: its percent signs are taken as they stand. */
function escapeBadId(url: string): string {
  if (!url.includes('%') || !/^\/(file|api\/file|api\/auth\/sessions)\//.test(url)) return url;
  const path = pathOf(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
