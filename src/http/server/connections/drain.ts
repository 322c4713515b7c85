// Decides whether a connection goes on after an answer that comes before the end of its request's body.
// It goes on if the rest of the body has been read first. Otherwise the answer says that it closes, and a limited rest is read, so that the
// client can read the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ServerTimes, serverTimes } from '../server-times.ts';
import { mayBeCostly } from './body-framing.ts';
import { isContinueHeld } from './expect-continue.ts';

const mostBytes = 1024 * 1024;
/** The limit for a body that may be split into chunks of one byte. */
const mostCostlyBytes = 128 * 1024;
const checkMilliseconds = 5;

type DrainTimes = Pick<ServerTimes, 'restMilliseconds' | 'drainMilliseconds' | 'lingerMilliseconds'>;

type EarlyAnswer = {
  readonly response: ServerResponse;
  /** Writes the whole answer and ends it. */
  end(): void;
  /** Writes the whole answer, which says that the connection closes, and does not end it: Node would then cut the connection. */
  writeLast(): void;
};

/** Whether nothing of the request is still to come. */
export function isWhole(request: IncomingMessage): boolean {
  return request.complete || request.readableEnded;
}

/** The requests whose answer waits, or has said that it is the last. The function ends that at once. */
const early = new WeakMap<IncomingMessage, () => void>();
const closing = new WeakSet<ServerResponse>();

/** Call this as soon as it is known: the parser brings requests that came with this one before the answer has left. */
export function markClosing(response: ServerResponse): void {
  closing.add(response);
}

/** RFC 9112 section 9.6: after an answer that closes the connection no request on it is processed. */
export function isClosing(response: ServerResponse | undefined): boolean {
  return response !== undefined && closing.has(response);
}

/** For a request that will get no more bytes from the parser. Returns false if its answer did not wait for that. */
export function stopDraining(request: IncomingMessage): boolean {
  const stop = early.get(request);
  stop?.();
  return stop !== undefined;
}

/** For a request that is not whole. The answer leaves once the rest has been read, or after a short time. */
export function answerEarly(request: IncomingMessage, answer: EarlyAnswer, times: DrainTimes = serverTimes): void {
  const { socket } = request;
  const { response } = answer;
  const before = socket.bytesRead;
  const most = mayBeCostly(request) ? mostCostlyBytes : mostBytes;
  // Bytes are counted at the socket: Node discards the rest of an answered request without an event. Checks are counted because after a
  // stall of the process a deadline would pass before the buffered bytes are read.
  const isBeyond = (milliseconds: number) =>
    socket.bytesRead - before > most || checks * checkMilliseconds > milliseconds;
  let checks = 0;
  let isWritten = false;
  const check = () => {
    if (socket.destroyed || request.complete) {
      finish();
      return;
    }
    if (!isWritten && isBeyond(times.restMilliseconds)) writeLast();
    if (isBeyond(times.drainMilliseconds)) leave();
  };
  /** An answer that waits for those to earlier requests is not on its way yet. Until it is, nothing more is read. */
  const leave = () => {
    if (response.socket === null) socket.pause();
    else finish();
  };
  const writeLast = () => {
    isWritten = true;
    markClosing(response);
    attempt(answer.writeLast, response);
  };
  const stop = () => {
    clearInterval(timer);
    early.delete(request);
    request.off('end', check);
  };
  const finish = () => {
    stop();
    if (!isWritten) attempt(answer.end, response);
    else if (request.complete) response.end();
    else if (!socket.destroyed) closeGently(socket, times);
  };
  const timer = setInterval(() => {
    checks += 1;
    check();
  }, checkMilliseconds);
  early.set(request, () => {
    stop();
    if (!isWritten) writeLast();
  });
  takeOver(request);
  request.once('end', check);
  if (!mayGoOn(request, response, most)) writeLast();
}

/** Whether the rest is worth waiting for. A client that has not heard “100 Continue” does not send it. */
function mayGoOn(request: IncomingMessage, response: ServerResponse, most: number): boolean {
  const length = Number(request.headers['content-length'] ?? 0);
  return response.shouldKeepAlive && length <= most && !isContinueHeld(request);
}

/** A reader that gave up may still listen, and pause the request later. */
function takeOver(request: IncomingMessage): void {
  request.removeAllListeners('data');
  request.on('pause', () => request.resume());
  request.resume();
}

/** If a header of the answer cannot be sent, nobody can learn of it. */
function attempt(write: () => void, response: ServerResponse): void {
  try {
    write();
  } catch {
    response.destroy();
  }
}

/** Ends our side first, so that the client can read the whole answer. Destroys the socket a little later. */
function closeGently(socket: Socket, { lingerMilliseconds }: DrainTimes): void {
  socket.pause();
  socket.end();
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
