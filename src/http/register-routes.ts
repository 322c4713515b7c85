// Registers each line of the route table as a Fastify route with guards, schema, handler and envelope.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppScope } from '../apps/app.ts';
import type { Pump } from '../files/blob-store.ts';
import { Failure } from '../kernel/failure.ts';
import type { AdminGuards } from './guards/admin.ts';
import type { HostGuard } from './guards/host.ts';
import type { OriginGuard } from './guards/origin.ts';
import type { RecentGuard } from './guards/recent.ts';
import type { ServiceGuard } from './guards/service.ts';
import { readCookie } from './interface/cookies.ts';
import { jsonType, success } from './interface/envelope.ts';
import { failureReplies } from './interface/failure-replies.ts';
import { readRefreshHeader } from './interface/refresh-header.ts';
import type { Call, Caller, Route } from './interface/route.ts';
import type { RouteLine } from './interface/route-line.ts';
import { pageLanguage } from './pages/page-language.ts';
import type { PageSender } from './pages/page-routes.ts';
import { shownName } from './server/json-body.ts';
import { type ServerTimes, serverTimes } from './server/server-times.ts';

export type Guards = {
  readonly access: (request: FastifyRequest, appScope?: AppScope) => Promise<Caller>;
  readonly origin: OriginGuard;
  readonly recent: RecentGuard;
  readonly admin: AdminGuards;
  readonly host: HostGuard;
  readonly service: ServiceGuard;
};

const longestToken = 4096;

export function registerRoutes(
  server: FastifyInstance,
  table: readonly RouteLine[],
  guards: Guards,
  sendPage: PageSender,
  times: Pick<ServerTimes, 'stalledMilliseconds'> = serverTimes,
): void {
  for (const line of table) {
    const { method, path, route } = line;
    server.route({
      method,
      url: path,
      schema: schemaOf(route),
      config: {
        takesBody: route.body !== undefined && route.bodyOptional !== true,
        takesStream: route.takesStream === true,
        servesFile: route.servesFile === true,
        leadsToSignIn: line.opensByLink === true,
        takesAnyId: route.takesAnyId === true,
        isCountedByKey: line.guards.includes('service'),
      },
      onRequest: (request) => guardRequest(line, guards, request),
      preValidation: async (request) => {
        checkQuery(request.query as Record<string, unknown>);
        if (route.bodyOptional === true) request.body ??= {};
        if (route.body !== undefined && request.body === undefined)
          throw new Failure('REQUEST_INVALID', { field: 'body' });
      },
      handler: (request, reply) => answer(line, request, reply, sendPage, times.stalledMilliseconds),
    });
  }
}

function schemaOf({ body, query, params }: Route) {
  return {
    ...(body !== undefined && { body }),
    ...(query !== undefined && { querystring: query }),
    ...(params !== undefined && { params }),
  };
}

/** Same rule as for a body: PostgreSQL refuses NUL in a text. */
function checkQuery(query: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(query)) {
    if (typeof value === 'string' && value.includes('\0'))
      throw new Failure('REQUEST_INVALID', { field: shownName(field) });
  }
}

/** Runs before the body is read. */
async function guardRequest(line: RouteLine, guards: Guards, request: FastifyRequest): Promise<void> {
  const { guards: named } = line;
  if (named.includes('host')) guards.host(request);
  if (named.includes('admin-enabled')) await guards.admin.enter(request);
  if (named.includes('admin')) request.admin = await guards.admin.check(request, line.role);
  if (named.includes('service')) request.service = await guards.service(request, line.scope);
  // With a link the caller is whoever has it, and nobody else: a wrong one opens nothing, whoever sends it.
  if (named.includes('access') && !(line.opensByLink === true && hasLink(request)))
    request.caller = await guards.access(request, line.appScope);
  if (named.includes('origin') && request.caller?.via === 'cookie') guards.origin(request);
  if (named.includes('recent')) guards.recent(request.caller);
  if (
    named.includes('refresh-origin') &&
    readRefreshHeader(request.headers.rt?.toString()) === undefined &&
    readCookie(request.headers.cookie, 'RT') !== undefined
  ) {
    guards.origin(request);
  }
}

function hasLink({ query }: FastifyRequest): boolean {
  return (query as { readonly l?: unknown }).l !== undefined;
}

async function answer(
  { route, guards }: RouteLine,
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage: PageSender,
  stalledMilliseconds: number,
): Promise<FastifyReply> {
  const answered = await route.handle(toCall(request, reply, guards.includes('captcha') ? readCaptcha(request) : ''));
  if ('status' in answered) {
    // HEAD must send the file's length. Without a stream Fastify would set content-length to 0.
    const content = answered.content ?? (request.method === 'HEAD' ? Readable.from([]) : undefined);
    reply.code(answered.status).headers(answered.headers);
    // Node then closes the connection, so that a stalled client does not hold buffers and an open file for ever.
    reply.raw.setTimeout(stalledMilliseconds);
    return typeof content === 'function' ? pumpTo(reply, content) : reply.send(content);
  }
  if ('page' in answered) {
    const { page, facts, withoutScript, headers, failure } = answered;
    if (failure !== undefined) request.failed = { code: failure, quota: undefined };
    reply.code(failure === undefined ? 200 : failureReplies[failure].status).headers(headers);
    const language = pageLanguage(request);
    return sendPage(reply, page, language, facts, withoutScript(language));
  }
  for (const cookie of answered.cookies ?? []) reply.header('set-cookie', cookie);
  if (answered.headers !== undefined) reply.headers(answered.headers);
  const other = answered.isOther === true ? route.other : undefined;
  return reply
    .code(other?.status ?? route.status ?? 200)
    .type(jsonType)
    .send(success(request.language, (other ?? route).success, answered.data));
}

/** Bypasses Fastify and writes to the socket. If the source fails, the connection breaks: a truncated file must not look complete. */
async function pumpTo(reply: FastifyReply, pump: Pump): Promise<FastifyReply> {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  try {
    await pump(reply.raw);
    reply.raw.end();
  } catch {
    reply.raw.destroy();
  }
  return reply;
}

/** Empty if the header is missing: the use case checks format and limits first, then the captcha. */
function readCaptcha({ headers }: FastifyRequest): string {
  const token = String(headers['captcha-token'] ?? '').trim();
  if (token.length > longestToken) throw new Failure('CAPTCHA_INVALID');
  return token;
}

function toCall(request: FastifyRequest, reply: FastifyReply, captchaToken: string): Call {
  const { headers } = request;
  return {
    body: request.body,
    query: request.query,
    params: request.params,
    ip: request.clientAddress,
    language: request.language,
    requestId: request.id,
    method: request.method,
    stream: request.raw,
    userAgent: headers['user-agent'],
    captchaToken,
    get caller() {
      if (request.caller === undefined) throw new Failure('ACCESS_TOKEN_MISSING');
      return request.caller;
    },
    get admin() {
      if (request.admin === undefined) throw new Failure('ADMIN_REQUIRED');
      return request.admin;
    },
    get service() {
      if (request.service === undefined) throw new Failure('SERVICE_KEY_INVALID');
      return request.service;
    },
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    cookie: (name) => readCookie(headers.cookie, name),
    // RFC 9110 section 15.2: a client of HTTP/1.0 would take it for the answer.
    inform: (status, fields) => {
      if (request.raw.httpVersion === '1.1' && !reply.raw.headersSent) reply.raw.writeInformation(status, fields);
    },
    get signal() {
      const controller = new AbortController();
      if (reply.raw.destroyed) controller.abort();
      else reply.raw.once('close', () => controller.abort());
      return controller.signal;
    },
  };
}
