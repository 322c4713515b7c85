// Answers input that Node's parser refuses (400, 408, 431): writes the envelope directly to the socket.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/random.ts';
import { failure, jsonType } from '../interface/envelope.ts';
import type { SecurityHeaders } from './security-headers.ts';
import { isUploading } from './uploads-under-way.ts';

export function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: SecurityHeaders,
  publicUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isCut = error.code === 'HPE_INVALID_EOF_STATE' && isUploading(socket);
  const refusal = isCut ? new Failure('FILE_INCOMPLETE') : new Failure(codeOf(error), { field: 'request' });
  writeRaw(socket, refusal, headers, publicUrl);
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
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // Without this, a client that is still sending gets a reset before it has read the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), 2000).unref();
}

function codeOf({ code }: NodeJS.ErrnoException) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TIMEOUT' : 'REQUEST_INVALID';
}
