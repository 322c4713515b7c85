// The HTTP server: parsers, limits, hooks, and the envelope for requests that reach no route.
import type { Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { chooseLanguage } from '../../kernel/language.ts';
import type { Log } from '../../kernel/telemetry.ts';
import { type AnsweredFailure, routePattern } from '../interface/request-context.ts';
import { addBodyParsers, dropUnusedContentType } from './body-parsers.ts';
import { checkHead } from './check-head.ts';
import { type ClientAddress, forwardedFor } from './client-address.ts';
import { createCors } from './cors.ts';
import { drain } from './drain.ts';
import { type AnswerParts, createErrorHandler, sendFailure } from './error-handler.ts';
import { maxBodyBytes } from './json-body.ts';
import type { Listener } from './listener.ts';
import { createPathMap, type PathMap, pathOf } from './path-map.ts';
import { writeRaw } from './raw-errors.ts';
import { requestId } from './request-id.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';
import { stopAccepting } from './stop-accepting.ts';
import { beginUpload } from './uploads-under-way.ts';
import { createValidators } from './validators.ts';

export type ServerParts = AnswerParts & {
  readonly front: Listener;
  readonly clientAddress: ClientAddress;
  readonly corsOrigins: readonly string[];
  /** Whether a page of this origin belongs to an app that signs users in by OpenID Connect. */
  readonly isAppOrigin?: (origin: string) => boolean;
  /** Throws RATE_LIMITED if the address sends too many requests. */
  readonly countAddress: (address: string) => void;
  readonly log: Log;
  /** Called after every answer. */
  readonly onAnswered: (answer: AnsweredRequest) => void;
  /** True once the service begins to stop. When it accepts no more connections, each answer closes its connection. */
  readonly isStopping: () => boolean;
  /** Called when the server closes, before it waits for the requests that it still has. */
  readonly onClosing?: () => void;
  readonly times?: ServerTimes;
};

export type AnsweredRequest = {
  readonly method: string;
  /** The pattern in the route table, not the path of the request. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly failure: AnsweredFailure | undefined;
  /** Bytes of a stored file in the answer; 0 in any other. */
  readonly fileBytes: number;
};

export function createHttpServer(parts: ServerParts): FastifyInstance {
  const { front, publicUrl, log, times = serverTimes } = parts;
  const headers = createSecurityHeaders(publicUrl.startsWith('https:'));
  const validators = createValidators();
  const paths = createPathMap();
  const server = fastify({
    logger: false,
    // No plugin here waits for another system, and a slow machine must not make the start fail.
    pluginTimeout: 0,
    bodyLimit: maxBodyBytes,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // `*` means the server as a whole; the router would treat it as the front page.
    rewriteUrl: ({ url = '/' }) => (url === '*' ? '/*' : escapeBadId(url, paths)),
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
        parts,
      );
      log.debug('bad url', { code: error.code });
    },
  });
  server.decorateRequest('clientAddress', '');
  server.decorateRequest('language', 'en');
  server.decorateRequest('caller', undefined);
  server.decorateRequest('admin', undefined);
  server.decorateRequest('service', undefined);
  server.decorateRequest('failed', undefined);
  server.decorateRequest('oauthError', undefined);
  server.decorateRequest('failureCause', undefined);
  addHooks(server, parts, headers, paths);
  addBodyParsers(server, times.bodyMilliseconds, parts.countAddress);
  const handleError = createErrorHandler(parts, log);
  server.setErrorHandler((error, request, reply) => {
    // Methods that Node's parser knows and the router does not (those of RTSP) reach this handler without any hook.
    if (!('language' in request)) beginRequest(parts, headers, request, reply);
    handleError(error, request, reply);
  });
  validators.warmUp(server);
  server.addHook('preClose', () => {
    parts.onClosing?.();
    return stopAccepting(front.server, times);
  });
  // Fastify does not close a server that was already listening when Fastify got it.
  server.addHook('onClose', () => closed(front.server));
  return server;
}

function addHooks(
  server: FastifyInstance,
  parts: ServerParts,
  headers: Readonly<Record<string, string>>,
  paths: PathMap,
): void {
  const { publicUrl, log, onAnswered, countAddress } = parts;
  const cors = createCors({ origins: parts.corsOrigins, isAppOrigin: parts.isAppOrigin }, paths.methodsAt);
  server.addHook('onRoute', ({ method, url, config }) => paths.add(method, url, config));
  server.addHook('onRequest', async (request, reply) => {
    beginRequest(parts, headers, request, reply);
    const isPreflight = cors(request, reply);
    try {
      checkHead(request.raw);
    } catch (refusal) {
      // After an ambiguous head, a proxy and this service may disagree about where the next request begins.
      reply.header('connection', 'close');
      throw refusal;
    }
    if (isPreflight) return reply;
    dropUnusedContentType(request);
    if (request.routeOptions.config.takesStream === true) beginUpload(request.raw.socket);
    const isCountedLater = request.routeOptions.config.isCountedByKey === true;
    if (!isCountedLater && !paths.isUnlimited(request.url)) countAddress(request.clientAddress);
    // Checked before the body: its errors do not matter if no route takes it.
    if (request.is404) throw refuseAt(paths.methodsAt(pathOf(request.url)));
  });
  // A slow request may have begun before the stop. If its connection stayed open, the stop would take all of its time.
  server.addHook('onSend', (request, reply, payload, done) => {
    closeIfStopping(parts, request, reply);
    done(null, payload);
  });
  server.addHook('onResponse', async (request, reply) => {
    drain(request.raw, parts.times);
    const summary = {
      method: request.method,
      route: routePattern(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    };
    onAnswered({ ...summary, failure: request.failed, fileBytes: fileBytesOf(request, reply) });
    log[summary.status >= 500 ? 'warn' : 'info']('request', {
      requestId: request.id,
      ...summary,
      seconds: Number(summary.seconds.toFixed(6)),
      ...(request.failed !== undefined && { failure: request.failed.code }),
      ...(request.oauthError !== undefined && { oauthError: request.oauthError }),
      ...(summary.status >= 500 && causeOf(request)),
    });
  });
  // By default Node closes a CONNECT without an answer.
  server.server.on('connect', ({ url = '' }, socket) => {
    const methods = paths.methodsAt(pathOf(url));
    writeRaw(socket, refuseAt(methods.length === 0 ? ['GET'] : methods), headers, publicUrl);
  });
}

/** The reason for an answer of 5xx. Only the log gets it, never the client. */
function causeOf({ failureCause }: FastifyRequest): { cause?: string } {
  return failureCause instanceof Error ? { cause: failureCause.message } : {};
}

const writeJson = () => (data: unknown) => JSON.stringify(data);

function fileBytesOf({ method, routeOptions }: FastifyRequest, reply: FastifyReply): number {
  const isContent = method === 'GET' && (reply.statusCode === 200 || reply.statusCode === 206);
  if (!isContent || routeOptions.config.servesFile !== true) return 0;
  return Number(reply.getHeader('content-length') ?? 0);
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
  closeIfStopping(parts, request, reply);
  request.language = chooseLanguage(request.headers['accept-language']);
  request.clientAddress = parts.clientAddress(
    request.socket.remoteAddress,
    forwardedFor(request.headers['x-forwarded-for']),
  );
}

function closeIfStopping({ isStopping }: ServerParts, { server }: FastifyRequest, reply: FastifyReply): void {
  if (isStopping() && !server.server.listening) reply.header('connection', 'close');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takesBody?: boolean;
    takesStream?: boolean;
    /** The body is a form of OAuth: the handler gets its parameters. */
    takesForm?: boolean;
    /** Answers with the bytes of a stored file. */
    servesFile?: boolean;
    /** People open this address: a browser that is not signed in goes to the sign-in page first. */
    leadsToSignIn?: boolean;
    /** The id in the path may be any text. */
    takesAnyId?: boolean;
    /** The route counts the request itself: by the service key or the app that it proves, or by its address. */
    isCountedByKey?: boolean;
    /** For probes, which must not be rate-limited; the answer reveals nothing that could be abused. */
    isUnlimited?: boolean;
  }
}

/** An id that cannot be decoded must give 404, not 400. Its percent signs are escaped, so that the router takes them literally. */
function escapeBadId(url: string, { takesAnyId }: PathMap): string {
  if (!url.includes('%') || !takesAnyId(url)) return url;
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
