// Checks AWS Signature Version 4 by the specification, without code of the signer under test.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type S3Credentials = { readonly keyId: string; readonly secret: string; readonly region: string };
export type Refusal = { readonly status: number; readonly code: string; readonly message: string };
/** `payload` is the value of x-amz-content-sha256. */
type Verdict = { readonly payload: string } | { readonly refusal: Refusal };

type Claim = {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly payload: string;
  /** Names and values of the URL, decoded, without the signature. */
  readonly query: readonly (readonly [string, string])[];
};

const skewMilliseconds = 15 * 60 * 1000;

export function judgeSignature(request: IncomingMessage, known: S3Credentials, now: number): Verdict {
  const [, search = ''] = splitTarget(request);
  const query = parseQuery(search);
  const isPresigned = query.some(([name]) => name === 'X-Amz-Signature' || name === 'X-Amz-Algorithm');
  const { authorization } = request.headers;
  if (isPresigned && authorization !== undefined) {
    return refuse(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  }
  if (!isPresigned && authorization === undefined) return refuse(403, 'AccessDenied', 'Access Denied.');
  const claim = isPresigned ? readPresigned(query) : readHeader(request, authorization ?? '', query);
  if (claim === undefined) return refuse(400, 'AuthorizationHeaderMalformed', 'The authorization cannot be read');
  const timing = isPresigned ? judgeExpiry(query, claim.date, now) : judgeSkew(claim.date, now);
  return judgeScope(claim, known) ?? judgeHeaders(request, claim) ?? judgeMac(request, claim, known) ?? timing ?? claim;
}

function refuse(status: number, code: string, message: string): { refusal: Refusal } {
  return { refusal: { status, code, message } };
}

function readHeader(request: IncomingMessage, text: string, query: Claim['query']): Claim | undefined {
  const match = /^AWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})$/.exec(text);
  const date = request.headers['x-amz-date'];
  const payload = request.headers['x-amz-content-sha256'];
  if (match === null || typeof date !== 'string' || typeof payload !== 'string') return undefined;
  const [, credential = '', headers = '', signature = ''] = match;
  return { credential, signedHeaders: headers.split(';'), signature, date, payload, query };
}

function readPresigned(query: Claim['query']): Claim | undefined {
  const all = new Map(query);
  const [signature, credential, date] = ['Signature', 'Credential', 'Date'].map((name) => all.get(`X-Amz-${name}`));
  const headers = all.get('X-Amz-SignedHeaders');
  if (!signature || !credential || !date || !headers || all.size !== query.length) return undefined;
  if (all.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined;
  const unsigned = query.filter(([name]) => name !== 'X-Amz-Signature');
  return {
    credential,
    signedHeaders: headers.split(';'),
    signature,
    date,
    payload: 'UNSIGNED-PAYLOAD',
    query: unsigned,
  };
}

function judgeScope({ credential, date }: Claim, known: S3Credentials): Verdict | undefined {
  const [keyId, day, region, service, end, ...rest] = credential.split('/');
  if (keyId !== known.keyId) return refuse(403, 'InvalidAccessKeyId', 'The access key does not exist');
  const isRight = day === date.slice(0, 8) && region === known.region && service === 's3' && end === 'aws4_request';
  if (isRight && rest.length === 0) return undefined;
  return refuse(400, 'AuthorizationHeaderMalformed', 'The credential scope is wrong');
}

/** The specification requires a signature over host and every x-amz header, with sorted names. */
function judgeHeaders(request: IncomingMessage, { signedHeaders }: Claim): Verdict | undefined {
  const needed = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  const isOrdered = signedHeaders.join() === signedHeaders.toSorted().join();
  if (isOrdered && needed.every((name) => signedHeaders.includes(name))) return undefined;
  return refuse(403, 'AccessDenied', 'There were headers present in the request which were not signed');
}

function judgeMac(request: IncomingMessage, claim: Claim, known: S3Credentials): Verdict | undefined {
  const scope = claim.credential.slice(claim.credential.indexOf('/') + 1);
  const digest = createHash('sha256').update(canonicalRequest(request, claim)).digest('hex');
  const key = scope.split('/').reduce<Buffer | string>((last, part) => mac(last, part), `AWS4${known.secret}`);
  const expected = mac(key, `AWS4-HMAC-SHA256\n${claim.date}\n${scope}\n${digest}`).toString('hex');
  if (expected === claim.signature) return undefined;
  return refuse(403, 'SignatureDoesNotMatch', 'The request signature does not match');
}

function mac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

function canonicalRequest(request: IncomingMessage, claim: Claim): string {
  const [path] = splitTarget(request);
  // Sorted by encoded names. The separator of name and value sorts before every character of a name.
  const query = claim.query.map(([name, value]) => `${encode(name)}\0${encode(value)}`).toSorted();
  const headers = claim.signedHeaders.map(
    (name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}\n`,
  );
  return [
    request.method,
    path
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/'),
    query.join('&').replaceAll('\0', '='),
    headers.join(''),
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n');
}

function judgeSkew(date: string, now: number): Verdict | undefined {
  if (Math.abs(timeOf(date) - now) <= skewMilliseconds) return undefined;
  return refuse(403, 'RequestTimeTooSkewed', 'The times differ too much');
}

function judgeExpiry(query: Claim['query'], date: string, now: number): Verdict | undefined {
  const expires = new Map(query).get('X-Amz-Expires') ?? '';
  const seconds = Number(expires);
  if (!/^\d{1,6}$/.test(expires) || seconds < 1 || seconds > 604_800) {
    return refuse(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires is wrong');
  }
  const start = timeOf(date);
  const isLive = start - skewMilliseconds <= now && now < start + seconds * 1000;
  return isLive ? undefined : refuse(403, 'AccessDenied', 'Request has expired');
}

function timeOf(date: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (match === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

export function splitTarget(request: IncomingMessage): [path: string, search: string] {
  const target = request.url ?? '/';
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/** A plus sign in a query is a space for some servers and a plus for others, so the signature check refuses it. */
export function parseQuery(search: string): [string, string][] {
  const parts = search.split('&').filter((part) => part !== '');
  return parts.map((part) => {
    const at = part.indexOf('=');
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    return [decodeURIComponent(name), decodeURIComponent(value)];
  });
}

/** RFC 3986: all but the unreserved characters. */
function encode(text: string): string {
  const encodeByte = (byte: number) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  };
  return [...Buffer.from(text)].map(encodeByte).join('');
}
