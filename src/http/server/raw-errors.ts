// Answers input that Node's parser refuses (400, 408, 431): writes the envelope directly to the socket.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/random.ts';
import { failure, jsonType } from '../interface/envelope.ts';
import type { SecurityHeaders } from './security-headers.ts';
import { isUploading } from './uploads-under-way.ts';

const newestKey = Symbol('the answer to the newest request of the connection');

type AnsweredSocket = Duplex & { [newestKey]?: ServerResponse };

/** Call this for every request. A map by connection would cost every request more than a field of the connection. */
export function noteAnswer(socket: Duplex, response: ServerResponse): void {
  (socket as AnsweredSocket)[newestKey] = response;
}

export function newestAnswer(socket: Duplex): ServerResponse | undefined {
  return (socket as AnsweredSocket)[newestKey];
}

export function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: SecurityHeaders,
  publicUrl: string,
  newest?: ServerResponse,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (newest !== undefined && !isLeftToUs(newest)) {
    closeAfter(newest, socket);
    return;
  }
  const isCut = error.code === 'HPE_INVALID_EOF_STATE' && isUploading(socket);
  const refusal = isCut ? new Failure('FILE_INCOMPLETE') : new Failure(codeOf(error), { field: 'request' });
  writeRaw(socket, refusal, headers, publicUrl);
}

/**
 * A request has one answer. What follows a whole request must not take the place of its answer, and what follows an answer must not look
 * like the answer to another request.
 */
function isLeftToUs(newest: ServerResponse): boolean {
  const isNext = newest.socket !== null;
  return newest.req.complete ? newest.writableFinished : isNext && !newest.headersSent;
}

function closeAfter(newest: ServerResponse, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  if (!newest.headersSent) newest.shouldKeepAlive = false;
  if (newest.writableFinished) closeGently(socket);
  else newest.once('finish', () => closeGently(socket));
}

/** Without reading on, a client that is still sending gets a reset before it has read the answer. */
function closeGently(socket: Duplex, last?: string): void {
  socket.end(last);
  socket.resume();
  setTimeout(() => socket.destroy(), 2000).unref();
}

export function writeRaw(socket: Duplex, refusal: Failure, headers: SecurityHeaders, publicUrl: string): void {
  const { status, headers: own, body } = failure('en', refusal, publicUrl);
  const lines = Object.entries({
    ...headers,
    ...own,
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    date: new Date().toUTCString(),
    'x-request-id': newId(),
  }).map(([name, value]) => `${name}: ${value}`);
  // Node stops watching the connection of a CONNECT. A reset by its client would otherwise end the process.
  socket.on('error', () => socket.destroy());
  closeGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

function codeOf({ code }: NodeJS.ErrnoException) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'REQUEST_INVALID';
}
