// Refuses a request whose head a proxy and this service could interpret differently.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Failure } from '../../kernel/failure.ts';

/** Headers that may appear only once: given two, a proxy and this service could each use a different one. */
const singleHeaders = new Set([
  'authorization',
  'captcha-token',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'rt',
  'upload-complete',
  'upload-draft-interop-version',
  'upload-length',
  'upload-offset',
  'x-file-purpose',
]);

/** RFC 3986 section 3.2: host and port, without user information. */
const hostSyntax = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

export function checkHead({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  // Node's parser accepts 0.9 and 2.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw invalid('version');
  checkRepeats(headers, rawHeaders);
  const { host } = headers;
  if (host === undefined ? httpVersion === '1.1' : !hostSyntax.test(host)) throw invalid('host');
  // RFC 9112 section 6.1: the framing is unreliable with an unknown transfer coding, and with any transfer coding in HTTP/1.0.
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && (transfer.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    throw invalid('transfer-encoding');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Failure('MEDIA_TYPE_UNSUPPORTED');
}

function checkRepeats(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
  let names = 0;
  for (const _ in headers) names += 1;
  // Each name occurs once, as in nearly every request.
  if (names * 2 === rawHeaders.length) return;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) throw invalid(name);
    seen.add(name);
  }
}

function invalid(field: string): Failure {
  return new Failure('REQUEST_INVALID', { field });
}
