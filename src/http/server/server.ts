// The HTTP server: routes, limits, and the envelope for requests that reach no route.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/process/telemetry.ts';
import { createAnswer, createMethodsAt, type Hiding, refuseAt } from './answer-request.ts';
import { type AnsweredRequest, createFinish } from './answered-request.ts';
import type { ClientAddress } from './client-address.ts';
import { noteBodyStart } from './connections/body-framing.ts';
import { isClosing } from './connections/drain.ts';
import type { Listener } from './connections/listener.ts';
import { afterEarlierAnswers, newestAnswer, noteAnswer, wasHeld } from './connections/open-answers.ts';
import { noteOpen, unansweredRequests } from './connections/open-requests.ts';
import { writeRaw } from './connections/raw-errors.ts';
import { stopAccepting } from './connections/stop-accepting.ts';
import { type AnswerParts, answerError, createErrorHandler } from './error-handler.ts';
import { HttpReply, planHeaders, type ReplyParts } from './reply.ts';
import { type Handler, HttpRequest, type HttpRoute } from './request.ts';
import { createRouter } from './router.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';
import { createValidators, type Validators } from './validators.ts';

type ServerParts = AnswerParts & {
  readonly front: Listener;
  readonly clientAddress: ClientAddress;
  readonly corsOrigins: readonly string[];
  readonly isHidden?: Hiding;
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

/** A route without `rules` has no rules of its own. */
export type AddedRoute = Omit<HttpRoute, 'rules'> & Partial<Pick<HttpRoute, 'rules'>>;

export type Routes = {
  /** GET answers HEAD too, unless the route refuses it. */
  add(route: AddedRoute): void;
  get(path: string, handle: Handler): void;
};

export type HttpServer = Routes & {
  readonly server: Server;
  readonly validators: Pick<Validators, 'add'>;
  hasRoute(method: string, pattern: string): boolean;
  /** Returns the URL. With port 0 the system chooses one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Ends when the last connection is closed. */
  close(): Promise<void>;
  /** Answers every request that has no answer yet: the service stops, and waits for it no longer. */
  endRequests(): void;
};

export function createHttpServer(parts: ServerParts): HttpServer {
  const { front, publicUrl, log, times = serverTimes, onClosing, isStopping, isHidden = () => false } = parts;
  const { server } = front;
  const headers = createSecurityHeaders(publicUrl.startsWith('https:'));
  const validators = createValidators();
  const router = createRouter();
  let closing: Promise<void> | undefined;
  const handleError = createErrorHandler(parts, log);
  const replyParts: ReplyParts = {
    ...planHeaders(headers),
    times,
    // A slow request may have begun before the stop. If its connection stayed open, the stop would take all of its time.
    isLast: () => closing !== undefined || (isStopping() && !server.listening),
  };
  const fail = (error: unknown, request: HttpRequest, reply: HttpReply) => {
    try {
      answerError(error, request, reply, handleError);
    } catch {
      reply.raw.destroy();
    }
  };
  const finish = createFinish(parts);
  const answer = createAnswer(
    router,
    isHidden,
    { origins: parts.corsOrigins, isAppOrigin: parts.isAppOrigin },
    { milliseconds: times.bodyMilliseconds, countAddress: parts.countAddress },
  );
  front.take((raw, response) => {
    if (!wasHeld(response)) {
      if (isClosing(newestAnswer(raw.socket))) return;
      noteAnswer(raw.socket, response);
    }
    noteBodyStart(raw);
    const request = new HttpRequest(raw, parts.clientAddress);
    const reply = new HttpReply(response, request, replyParts, (sent) => finish(request, sent));
    noteOpen(response, { request, reply });
    try {
      const waiting = answer(request, reply);
      if (waiting instanceof Promise) waiting.catch((error: unknown) => fail(error, request, reply));
    } catch (error) {
      fail(error, request, reply);
    }
  });
  // By default Node closes a CONNECT without an answer.
  const methodsAt = createMethodsAt(router, isHidden);
  server.on('connect', (raw, socket) => {
    const methods = methodsAt(new HttpRequest(raw, parts.clientAddress));
    const refusal = refuseAt(methods.length === 0 ? ['GET'] : methods);
    afterEarlierAnswers(raw, () => writeRaw(socket, refusal, headers, publicUrl));
  });
  validators.warmUp(server);
  const close = async () => {
    onClosing?.();
    await stopAccepting(server, times);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  const add = (added: AddedRoute) => {
    const route: HttpRoute = { rules: {}, ...added };
    router.add(route);
    if (route.method === 'GET' && route.rules.refusesHead !== true) router.add({ ...route, method: 'HEAD' });
  };
  return {
    server,
    validators,
    add,
    get: (path, handle) => add({ method: 'GET', path, handle }),
    hasRoute: router.has,
    listen: (address) =>
      new Promise((resolve, reject) => {
        server.once('error', reject).listen(address, () => {
          server.off('error', reject);
          resolve(`http://${address.host}:${(server.address() as AddressInfo).port}`);
        });
      }),
    close: () => {
      closing ??= close();
      return closing;
    },
    endRequests: () => {
      for (const { request, reply } of unansweredRequests(server)) {
        reply.closeAfter();
        fail(stopping(), request, reply);
      }
    },
  };
}

function stopping(): Failure {
  return new Failure('SERVICE_STOPPING', { retryAfterSeconds: 2 });
}
