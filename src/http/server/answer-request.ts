// Answers one request: finds its route, applies the rules for every request, reads its body and calls the handler.
import { type IncomingMessage, METHODS } from 'node:http';
import { Failure } from '../../kernel/failure.ts';
import { forClient } from '../../kernel/work/waiting-client.ts';
import { checkHead } from './check-head.ts';
import { type CorsOrigins, createCors } from './cors.ts';
import type { HttpReply } from './reply.ts';
import type { HttpRequest, HttpRoute } from './request.ts';
import { type BodyParts, dropUnusedContentType, readBody } from './request-body.ts';
import type { Router } from './router.ts';
import { beginUpload } from './uploads-under-way.ts';

/** Node's parser also knows the methods of RTSP. */
const knownMethods = new Set(METHODS);

/** Whether the path does not exist for this request. */
export type Hiding = (request: HttpRequest) => boolean;

/** The returned function returns the methods of the path; none if the path does not exist for the request. */
export function createMethodsAt(router: Router, isHidden: Hiding) {
  return (request: HttpRequest): readonly string[] => (isHidden(request) ? [] : router.methodsAt(request.target.path));
}

/** The returned function returns a promise only if it waits for something. It throws what is to be answered as an error. */
export function createAnswer(router: Router, isHidden: Hiding, origins: CorsOrigins, bodies: BodyParts) {
  const methodsAt = createMethodsAt(router, isHidden);
  const cors = createCors(origins, methodsAt);
  return (request: HttpRequest, reply: HttpReply): unknown => {
    const { target, method } = request;
    if (!knownMethods.has(method)) throw new Failure('REQUEST_INVALID', { field: 'method' });
    const isReadable = target.isReadable || router.takesAnyId(target.path);
    const found = isReadable && !isHidden(request) ? router.find(method, target) : undefined;
    if (found !== undefined) {
      request.route = found.route;
      request.params = found.params;
    }
    if (asksForUpgrade(request.raw)) reply.closeAfter();
    const isPreflight = cors(request, reply);
    try {
      checkHead(request.raw);
    } catch (refusal) {
      // After an ambiguous head, a proxy and this service may disagree about where the next request begins.
      reply.closeAfter();
      throw refusal;
    }
    if (isPreflight) return reply.send();
    const isCountedLater = found?.route.rules.isCountedByKey === true;
    if (!isCountedLater && !isUnlimited(request, router)) bodies.countAddress(request.clientAddress);
    if (!isReadable) throw new Failure('REQUEST_INVALID', { field: 'url' });
    // Refused before the body: its errors do not matter if no route takes it.
    if (found === undefined) throw refuseAt(methodsAt(request));
    // An upload cleans up, and records what has arrived, when its client leaves.
    if (found.route.rules.takesStream === true) return takeUpload(found.route, request, reply, bodies);
    return forClient(reply, takeRoute, found.route, request, reply, bodies);
  };
}

/**
 * No protocol is offered, so it is answered like any other request. But Node loses what arrived with it, and takes its body for requests of
 * their own.
 */
function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}

/** A probe sends no query, so its URL is the path of its route. */
function isUnlimited({ url, route }: HttpRequest, router: Router): boolean {
  return route === undefined ? router.isUnlimited(url) : route.rules.isUnlimited === true && url === route.path;
}

function takeUpload(route: HttpRoute, request: HttpRequest, reply: HttpReply, bodies: BodyParts): unknown {
  beginUpload(request.socket);
  return takeRoute(route, request, reply, bodies);
}

function takeRoute(route: HttpRoute, request: HttpRequest, reply: HttpReply, bodies: BodyParts): unknown {
  dropUnusedContentType(request, route.rules);
  const guarded = route.guard?.(request);
  if (guarded !== undefined) return takeGuarded(route, request, reply, bodies, guarded);
  const body = readBody(request, route.rules, bodies);
  return body === undefined ? route.handle(request, reply) : takeBody(route, request, reply, body);
}

async function takeGuarded(
  route: HttpRoute,
  request: HttpRequest,
  reply: HttpReply,
  bodies: BodyParts,
  guarded: Promise<void>,
): Promise<void> {
  await guarded;
  const body = readBody(request, route.rules, bodies);
  if (body !== undefined) request.body = await body;
  await route.handle(request, reply);
}

async function takeBody(
  route: HttpRoute,
  request: HttpRequest,
  reply: HttpReply,
  body: Promise<unknown>,
): Promise<void> {
  request.body = await body;
  await route.handle(request, reply);
}

export function refuseAt(methods: readonly string[]): Failure {
  return methods.length === 0
    ? new Failure('NOT_FOUND')
    : new Failure('METHOD_NOT_ALLOWED', { allow: methods.join(', ') });
}
