// Answers input that Node's parser refuses (400, 408, 431): writes the envelope directly to the socket.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../../../kernel/crypto/random.ts';
import { Failure } from '../../../kernel/failure.ts';
import { failure, jsonType } from '../../interface/envelope.ts';
import type { SecurityHeaders } from '../security-headers.ts';
import { isUploading } from '../uploads-under-way.ts';
import { stopDraining } from './drain.ts';

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
  if (newest !== undefined && stopDraining(newest.req)) {
    socket.on('error', () => socket.destroy());
    // An answer that waits for those to earlier requests follows them.
    if (newest.socket === null) newest.end();
    else closeGently(socket);
    return;
  }
  if (newest !== undefined && !isLeftToUs(newest)) {
    closeAfter(newest, socket);
    return;
  }
  const isCut = error.code === 'HPE_INVALID_EOF_STATE' && isUploading(socket);
  const refusal = isCut ? new Failure('FILE_INCOMPLETE') : failureOf(error);
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
  // A reset by the client would otherwise end the process.
  socket.on('error', () => socket.destroy());
  closeGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** A URL with letters outside ASCII, or with a space: the parser then expects the version of HTTP behind it. */
function fieldOf({ code }: NodeJS.ErrnoException) {
  return code === 'HPE_INVALID_URL' || code === 'HPE_INVALID_CONSTANT' ? 'url' : 'request';
}

function failureOf(error: NodeJS.ErrnoException): Failure {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new Failure('HEADERS_TOO_LARGE');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure('REQUEST_TIMEOUT');
  return new Failure('REQUEST_INVALID', { field: fieldOf(error) });
}
