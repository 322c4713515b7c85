// Sends one request to the S3 server over a kept-alive connection with time-outs, and returns the response.
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { ByteReader } from '#media/media-type';

export type S3Timing = {
  /** Until the connection is established, TLS included. */
  readonly connectMilliseconds: number;
  /** From the end of a request to the response headers. Storing and listing may take as long as `idleMilliseconds`. */
  readonly answerMilliseconds: number;
  /** The longest time without progress of a body. */
  readonly idleMilliseconds: number;
  /** Pauses before the second attempt, the third, and so on. */
  readonly retryPausesMilliseconds: readonly number[];
};

export type Message = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: ByteReader | undefined;
  readonly answerMilliseconds: number;
  readonly signal: AbortSignal | undefined;
};

/** A lost or failed connection is passing. A request to a server that is too slow is not repeated. */
type TransportResult = { readonly response: IncomingMessage } | Problem;
type Problem = {
  readonly problem: string;
  readonly isPassing: boolean;
  readonly reason: 'answer' | 'connection' | 'time-out' | 'given up';
};
type Transport = (message: Message) => Promise<TransportResult>;

/** Small enough that a slow connection shows progress well within the idle time. */
const chunkBytes = 64 * 1024;

export function createTransport(origin: string, timing: S3Timing): Transport {
  const isTls = origin.startsWith('https:');
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  // A URL has brackets around an IPv6 address. A look-up needs it without them.
  const address = { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), ...(port === '' ? {} : { port }), agent };
  const open = (options: RequestOptions) => (isTls ? requestHttps : requestHttp)({ ...address, ...options });
  return ({ method, path, headers, body, answerMilliseconds, signal }) => {
    if (signal?.aborted === true) return Promise.resolve(givenUp);
    const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(body.size) };
    const request = open({ method, path, headers: { ...headers, ...length } });
    const result = transfer(request, isTls ? 'secureConnect' : 'connect', { ...timing, answerMilliseconds }, signal);
    if (body === undefined) request.end();
    else void writeBody(request, body).catch(() => request.destroy(new Error('the spool could not be read')));
    return result;
  };
}

const givenUp: Problem = {
  problem: 'aborted, because it took too long',
  isPassing: false,
  reason: 'given up',
};

function transfer(
  request: ClientRequest,
  connected: 'connect' | 'secureConnect',
  timing: S3Timing,
  signal: AbortSignal | undefined,
): Promise<TransportResult> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const setTimer = (milliseconds: number, problem: string, isPassing: boolean) => {
      clearTimeout(timer);
      timer = setTimeout(() => settle({ problem: `${problem} time-out`, isPassing, reason: 'time-out' }), milliseconds);
    };
    const abort = () => settle(givenUp);
    signal?.addEventListener('abort', abort);
    const settle = (result: TransportResult) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(result);
      if ('problem' in result) request.destroy();
    };
    const setNextTimer = () => {
      if (request.writableFinished) setTimer(timing.answerMilliseconds, 'answer', false);
      else setTimer(timing.idleMilliseconds, 'sending', false);
    };
    request.once('socket', (socket) => {
      if (request.reusedSocket) return setNextTimer();
      setTimer(timing.connectMilliseconds, 'connect', true);
      socket.once(connected, setNextTimer);
    });
    request.on('drain', setNextTimer);
    request.on('finish', setNextTimer);
    request.on('error', (error: NodeJS.ErrnoException) =>
      settle({ problem: error.code ?? error.message, isPassing: true, reason: 'connection' }),
    );
    request.once('response', (response) => settle(checkResponse(request, response)));
  });
}

/** A server may refuse before it has read the whole body, but cannot have stored bytes that were not sent yet. */
function checkResponse(request: ClientRequest, response: IncomingMessage): TransportResult {
  if (request.writableEnded) return { response };
  if (response.statusCode === 200)
    return { problem: 'answer before the end of the request', isPassing: true, reason: 'answer' };
  response.once('close', () => request.destroy());
  return { response };
}

async function writeBody(request: ClientRequest, body: ByteReader): Promise<void> {
  let isAnswered = false;
  request.once('response', () => {
    isAnswered = true;
  });
  for (let at = 0; at < body.size; ) {
    const chunk = await body.read(at, Math.min(chunkBytes, body.size - at));
    if (chunk.length === 0) throw new Error('the spool is too short');
    if (request.destroyed || isAnswered) return;
    at += chunk.length;
    if (!request.write(chunk)) await drained(request);
  }
  request.end();
}

function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'response', 'close']) request.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'response', 'close']) request.on(event, done);
  });
}
