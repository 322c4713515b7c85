// What must be true of a request's head before anyone acts on it: nothing in it may mean two things to two readers.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../kernel/failure.ts';

/** Headers that must stand once: with two of them a proxy and this service could believe different ones. */
const single = new Set([
  'authorization',
  'captcha-token',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'rt',
  'x-file-purpose',
]);

/** RFC 3986 section 3.2: host and port, without user information. */
const hostSyntax = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

export function checkHead({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  // Node's parser lets 0.9 and 2.0 through.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw invalid('version');
  checkRepeats(rawHeaders);
  const { host } = headers;
  if (host === undefined ? httpVersion === '1.1' : !hostSyntax.test(host)) throw invalid('host');
  // RFC 9112 section 6.1: a coding that is not understood, and any in HTTP/1.0, make the framing doubtful.
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && (transfer.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    throw invalid('transfer-encoding');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Failure('MEDIA_TYPE_UNSUPPORTED');
}

function checkRepeats(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) throw invalid(name);
    seen.add(name);
  }
}

function invalid(field: string): Failure {
  return new Failure('REQUEST_INVALID', { field });
}
