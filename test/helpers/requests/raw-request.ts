// Sends HTTP over a raw socket, so that a test can send what no client library would, and reads all answers.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { type Envelope, readEnvelope } from './api.ts';

export type RawReply = {
  readonly status: number;
  /** Names in lower case. The values of a repeated header are joined by a line break. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Statuses of the interim answers (1xx) before it. */
  readonly interim: readonly number[];
  /** The headers of those. */
  readonly informed: readonly Readonly<Record<string, string>>[];
};

type RawOptions = {
  /** The number of answers to wait for. The connection is closed after them. */
  readonly replies?: number;
  /** Closes the sending half after the bytes. */
  readonly halfClose?: boolean;
  /** The answers have no body although they have a length, as for HEAD. */
  readonly isHead?: boolean;
  readonly timeoutMilliseconds?: number;
  /** Continues to send after the first bytes, until the signal is aborted. */
  readonly goOn?: (socket: Socket, signal: AbortSignal) => Promise<void>;
};

/** Resolves with the requested number of answers, or with fewer if the service closes the connection earlier. */
export function sendRaw(url: string, bytes: string | Buffer, options: RawOptions = {}): Promise<RawReply[]> {
  const { replies = 1, halfClose = false, isHead = false, timeoutMilliseconds = 30_000 } = options;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const stopped = new AbortController();
    let received = Buffer.alloc(0);
    const finish = () => {
      clearTimeout(timer);
      stopped.abort();
      socket.destroy();
      try {
        resolve(readReplies(received, isHead));
      } catch (error) {
        reject(error as Error);
      }
    };
    const timer = setTimeout(finish, timeoutMilliseconds);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (readReplies(received, isHead).length >= replies) finish();
    });
    socket.on('end', finish).on('close', finish);
    // A reset may follow the answer if more was sent than the service reads.
    socket.on('error', finish);
    socket.on('connect', () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      if (halfClose) socket.end();
      options.goOn?.(socket, stopped.signal).catch(() => undefined);
    });
  });
}

/** The complete answers in the bytes received so far. */
export function readReplies(bytes: Buffer, isHead = false): RawReply[] {
  const replies: RawReply[] = [];
  let interim: number[] = [];
  let informed: Record<string, string>[] = [];
  let rest = bytes;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(
      /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(line)?.[1] ?? assert.fail(`no status line: ${line}`),
    );
    const headers = readHeaders(lines);
    if (status < 200) {
      interim.push(status);
      informed.push(headers);
      rest = rest.subarray(end + 4);
      continue;
    }
    const length = isHead || status === 204 || status === 304 ? 0 : Number(headers['content-length']);
    assert.ok(Number.isSafeInteger(length), `an answer without a length: ${line}`);
    if (rest.length < end + 4 + length) break;
    replies.push({ status, headers, body: rest.subarray(end + 4, end + 4 + length).toString(), interim, informed });
    interim = [];
    informed = [];
    rest = rest.subarray(end + 4 + length);
  }
  return replies;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+): ?(.*)$/.exec(line) ?? assert.fail(`no header: ${line}`);
    const known = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = known === undefined ? value : `${known}\n${value}`;
  }
  return headers;
}

/** A request with Host and, if there is a body, its length. Further headers are added unchanged. */
export function request(line: string, headers: readonly string[] = [], body?: string | Buffer): Buffer {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const own = body === undefined ? [] : [`Content-Length: ${content.length}`];
  const head = [`${line} HTTP/1.1`, 'Host: localhost', ...own, ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content]);
}

const securityHeaders = [
  'cache-control',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];

/** Checks everything that holds for every refusal. */
export function checkRefusal(reply: RawReply | undefined, codes: FailureCode | readonly FailureCode[]): Envelope {
  assert.ok(reply, 'no answer came');
  const { status, headers, body } = reply;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', body);
  const envelope = readEnvelope(body);
  assert.equal(envelope.success, false);
  const code = envelope.codeError as FailureCode;
  assert.ok([codes].flat().includes(code), `${code} instead of ${[codes].flat().join(' or ')}: ${envelope.message}`);
  assert.equal(status, failureReplies[code].status);
  assert.ok(status < 500, `${status} ${code}`);
  for (const name of securityHeaders) assert.ok(headers[name], `${name} is missing`);
  assert.match(headers['x-request-id'] ?? '', /^[\w-]{8,64}$/);
  assert.match(headers.link ?? '', new RegExp(`^<.+/docs/errors#${code}>; rel="help"$`));
  assert.ok(!('server' in headers) && !('x-powered-by' in headers));
  assert.equal('www-authenticate' in headers, status === 401);
  assert.equal('allow' in headers, status === 405);
  return envelope;
}

/** Valid credentials, so that a request is broken in one place only. */
export type Credentials = { readonly accessToken: string; readonly refreshToken: string; readonly captcha: string };

/** One kind of broken request and how it must be refused. */
export type BrokenRequest = {
  /** Completes the sentence “refuses …”. */
  readonly name: string;
  readonly bytes: string | Buffer | ((credentials: Credentials) => string | Buffer);
  readonly code: FailureCode;
  /** A text that the message must contain. */
  readonly field?: string;
  /** The connection must end after it, because it is unclear where the next request would start. */
  readonly isLast?: true;
  readonly options?: RawOptions;
};
