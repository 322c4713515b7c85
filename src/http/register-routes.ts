// Registers each line of the route table with its guards, schemas, handler and envelope.

import { Failure } from '../kernel/failure.ts';
import { type Crowd, createCrowd } from '../kernel/work/crowd.ts';
import { createGuard, type Guards } from './guards/guard-line.ts';
import type { CookieName } from './interface/cookies.ts';
import { jsonType, success } from './interface/envelope.ts';
import { failureReplies } from './interface/failure-replies.ts';
import type { ContentAnswer, EnvelopeAnswer, PageAnswer, Route } from './interface/route.ts';
import type { RouteLine } from './interface/route-line.ts';
import { pageLanguage } from './pages/page-language.ts';
import type { PageSender } from './pages/page-routes.ts';
import { ServedCall } from './served-call.ts';
import { shownName } from './server/json-body.ts';
import type { HttpReply } from './server/reply.ts';
import type { HttpRequest } from './server/request.ts';
import type { HttpServer } from './server/server.ts';
import { type ServerTimes, serverTimes } from './server/server-times.ts';
import type { Query } from './server/target.ts';
import type { Validators } from './server/validators.ts';

/** Of one process: files that are being read from the storage. Each has a file or a connection and up to half a mebibyte of memory. */
const mostDownloads = 1000;

export function registerRoutes(
  server: Pick<HttpServer, 'add' | 'validators'>,
  table: readonly RouteLine[],
  guards: Guards,
  sendPage: PageSender,
  { stalledMilliseconds }: Pick<ServerTimes, 'stalledMilliseconds'> = serverTimes,
  most = mostDownloads,
): void {
  const downloads = createCrowd(most);
  for (const line of table) {
    const { method, path, route } = line;
    const check = createCheck(route, server.validators);
    const readToken = line.guards.includes('captcha') ? readCaptcha : () => '';
    server.add({
      method,
      path,
      rules: {
        takesBody: route.body !== undefined && route.bodyOptional !== true,
        maxBodyBytes: route.maxBodyBytes,
        takesStream: route.takesStream === true,
        servesFile: route.servesFile === true,
        leadsToSignIn: line.opensByLink === true,
        takesAnyId: route.takesAnyId === true,
        isCountedByKey: line.guards.includes('backend'),
      },
      guard: createGuard(line, guards),
      handle: async (request, reply) => {
        check(request);
        const answered = await route.handle(new ServedCall(request, reply, readToken(request)));
        if ('status' in answered) return sendContent(request, reply, answered, stalledMilliseconds, downloads);
        if ('page' in answered) return sendAsPage(request, reply, answered, sendPage);
        return sendEnvelope(request, reply, answered, route);
      },
    });
  }
}

function createCheck({ body, bodyOptional, query, params }: Route, validators: Pick<Validators, 'add'>) {
  const [checkParams, checkBody, checkFields] = [params, body, query].map((schema) => schema && validators.add(schema));
  return (request: HttpRequest): void => {
    if (request.target.query !== '') checkQuery(request.query);
    if (bodyOptional === true) request.body ??= {};
    if (body !== undefined && request.body === undefined) throw new Failure('REQUEST_INVALID', { field: 'body' });
    const field = checkParams?.(request.params) ?? checkBody?.(request.body) ?? checkFields?.(request.query);
    if (field !== undefined) throw new Failure('REQUEST_INVALID', { field });
  };
}

/** Same rule as for a body: PostgreSQL refuses NUL in a text. */
function checkQuery(query: Query): void {
  for (const [field, value] of Object.entries(query)) {
    if (typeof value === 'string' && value.includes('\0'))
      throw new Failure('REQUEST_INVALID', { field: shownName(field) });
  }
}

function sendContent(
  { method, clientAddress }: HttpRequest,
  reply: HttpReply,
  { status, headers, content }: ContentAnswer,
  stalledMilliseconds: number,
  downloads: Crowd,
): unknown {
  reply.code(status).headers(headers);
  if (typeof content !== 'function' && (content === undefined || Buffer.isBuffer(content))) {
    // HEAD must send the file's length.
    if (method === 'HEAD' && content === undefined) reply.sendHead();
    else reply.send(content);
    // What the system has taken needs no watch.
    if (reply.raw.writableLength > 0) reply.raw.setTimeout(stalledMilliseconds);
    return undefined;
  }
  // Node then closes the connection, so that a stalled client does not hold buffers and an open file for ever.
  reply.raw.setTimeout(stalledMilliseconds);
  // A client that reads slowly keeps its place only while there is room. It can go on with a range.
  // A client that has left already closes nothing more.
  if (!reply.raw.destroyed) {
    const leave = downloads.enter(clientAddress, () => reply.raw.destroy());
    reply.raw.once('close', leave);
  }
  return typeof content === 'function' ? reply.pump(content) : reply.stream(content);
}

function sendAsPage(request: HttpRequest, reply: HttpReply, answered: PageAnswer, sendPage: PageSender): void {
  const { page, facts, withoutScript, headers, failure } = answered;
  if (failure !== undefined) request.failed = { code: failure, quota: undefined };
  reply.code(failure === undefined ? 200 : failureReplies[failure].status).headers(headers);
  const language = pageLanguage(request);
  sendPage(reply, page, language, facts, withoutScript(language));
}

function sendEnvelope(
  { language }: HttpRequest,
  reply: HttpReply,
  answered: EnvelopeAnswer<CookieName>,
  route: Route,
): void {
  for (const cookie of answered.cookies ?? []) reply.header('set-cookie', cookie);
  if (answered.headers !== undefined) reply.headers(answered.headers);
  const other = answered.isSecond === true ? route.other : undefined;
  reply
    .code(other?.status ?? route.status ?? 200)
    .type(jsonType)
    .send(success(language, (other ?? route).success, answered.data));
}

const longestToken = 4096;

/** Empty if the header is missing: the use case checks format and limits first, then the captcha. */
function readCaptcha({ headers }: HttpRequest): string {
  const token = String(headers['captcha-token'] ?? '').trim();
  if (token.length > longestToken) throw new Failure('CAPTCHA_INVALID');
  return token;
}
