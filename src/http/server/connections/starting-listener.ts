// Answers while the service starts: /livez with ok, /readyz with the reason for waiting; other requests are held for a short time.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../kernel/failure.ts';
import { failureMessage } from '../../interface/catalogue.ts';
import { failure, jsonType } from '../../interface/envelope.ts';
import { paths } from '../../interface/paths.ts';
import { pageLanguage } from '../../pages/page-language.ts';
import { isNavigation, type ProblemPages } from '../../pages/problem-page.ts';
import { requestId } from '../request-id.ts';
import { createSecurityHeaders } from '../security-headers.ts';
import { pathOf } from '../target.ts';
import { answerEarly, isClosing, isWhole, markClosing } from './drain.ts';
import { createLetArrive } from './let-arrive.ts';
import { createNodeServer, type Listener } from './listener.ts';
import { afterEarlierAnswers, newestAnswer, noteAnswer, noteHeld } from './open-answers.ts';
import { writeRaw } from './raw-errors.ts';

export type HoldBounds = { readonly milliseconds: number; readonly requests: number };

/** A normal start takes less time. */
const usualBounds: HoldBounds = { milliseconds: 3000, requests: 1000 };

export type StartingListener = Listener & {
  /** Passes every request to the listener that was set with `take`, held requests first. */
  open(): void;
  /** Refuses the held requests and accepts no more connections. */
  stop(): void;
};

type Held = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly timer: NodeJS.Timeout };

/** `describe` returns a sentence that says what the start waits for. */
export function createStartingListener(
  publicUrl: string,
  describe: () => string,
  most: HoldBounds = usualBounds,
  /** Undefined until the pages are loaded: browsers get JSON until then. */
  problemPages: () => ProblemPages | undefined = () => undefined,
): StartingListener {
  const server = createNodeServer(publicUrl);
  const headers = createSecurityHeaders(publicUrl.startsWith('https:'));
  const held = new Set<Held>();
  let answer: RequestListener | undefined;
  let isStopping = false;

  const send = (request: IncomingMessage, response: ServerResponse, status: number, own: object, body: string) => {
    const id = requestId(request.headers['x-request-id']);
    const all = { ...headers, ...own, 'x-request-id': id, 'content-length': Buffer.byteLength(body) };
    const begin = (isLast: boolean) => {
      if (isLast) markClosing(response);
      return response.writeHead(status, { ...all, ...(isLast && { connection: 'close' }) });
    };
    const end = () => void begin(isStopping).end(body);
    const writeLast = () => {
      begin(true).write(body);
      // Node writes nothing of a body for HEAD, not even the head before it.
      response.flushHeaders();
    };
    if (isWhole(request)) end();
    else answerEarly(request, { response, end, writeLast });
  };
  const refuse = (request: IncomingMessage, response: ServerResponse, message?: string) => {
    const language = pageLanguage(request);
    const refusal = unavailable();
    const { status, headers: own, body } = failure(language, refusal, publicUrl);
    const pages = isNavigation(request.headers) && message === undefined ? problemPages() : undefined;
    if (pages !== undefined) {
      const page = pages(language, { status, message: failureMessage(language, refusal) });
      send(request, response, status, { ...own, ...page.headers }, page.body);
      return;
    }
    const reply = message === undefined ? body : JSON.stringify({ ...JSON.parse(body), message });
    send(request, response, status, { ...own, 'content-type': jsonType }, reply);
  };
  const hold = (request: IncomingMessage, response: ServerResponse) => {
    const one: Held = { request, response, timer: setTimeout(() => release(one, refuse), most.milliseconds) };
    held.add(one);
    noteHeld(response);
    response.once('close', () => forget(one));
  };
  const forget = (one: Held) => {
    clearTimeout(one.timer);
    held.delete(one);
  };
  const release = (one: Held, act: RequestListener) => {
    forget(one);
    if (!one.response.destroyed) act(one.request, one.response);
  };
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    if (isClosing(newestAnswer(request.socket))) return;
    noteAnswer(request.socket, response);
    const path = pathOf(request.url ?? '/');
    const isProbe = ['GET', 'HEAD'].includes(request.method ?? '');
    if (isProbe && path === paths.live) send(request, response, 200, { 'content-type': plainType }, 'ok\n');
    else if (isProbe && path === paths.ready) refuse(request, response, describe());
    else if (isStopping || held.size >= most.requests) refuse(request, response);
    else hold(request, response);
  };
  const refuseTunnel = (request: IncomingMessage, socket: Duplex) =>
    afterEarlierAnswers(request, () => writeRaw(socket, unavailable(), headers, publicUrl));
  server.on('request', receive);
  server.on('connect', refuseTunnel);
  return {
    server,
    letArrive: createLetArrive(server),
    take: (taken) => {
      answer = taken;
      server.off('connect', refuseTunnel);
    },
    open: () => {
      if (answer === undefined) throw new Error('no listener was set with take()');
      server.off('request', receive);
      server.on('request', answer);
      for (const one of held) release(one, answer);
    },
    stop: () => {
      isStopping = true;
      for (const one of held) release(one, refuse);
      server.close();
    },
  };
}

const plainType = 'text/plain; charset=utf-8';

function unavailable(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}
