// A small strict S3 server for tests: it follows the protocol, refuses what real servers refuse, and fails on demand.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerList, answerObject, type S3Object, sendError } from './s3-server-answers.ts';
import { createFaults, type S3Fault, type S3Faults } from './s3-server-faults.ts';
import { judgeSignature, parseQuery, type Refusal, type S3Credentials, splitTarget } from './s3-server-signature.ts';

type S3Seen = { readonly method: string; readonly path: string; readonly status: number; readonly code: string };

export type S3Server = {
  /** Its storage URL, with the given parts replaced. */
  url(changes?: { id?: string; secret?: string; bucket?: string; query?: string }): string;
  readonly objects: Map<string, S3Object>;
  /** Every finished request, oldest first. A new array receives the requests that start after its assignment. */
  seen: S3Seen[];
  readonly faults: S3Faults;
  /** The number of started requests. */
  asked: number;
  /** Milliseconds that its clock is ahead. */
  skew: number;
  /** Objects on a page of a list, at most. */
  pageSize: number;
  /** The number of connections opened so far, and of those open now. */
  readonly connections: { opened: number; open: number };
  /** Stops listening and drops the connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

const credentials: S3Credentials = { keyId: 'AKTESTKEY', secret: 'test/secret+of=tests', region: 'eu-test-1' };
const bucket = 'gatehouse-test';

type State = Pick<S3Server, 'objects' | 'seen' | 'faults' | 'asked' | 'skew' | 'pageSize' | 'connections'>;

export async function startS3Server(tls?: { key: string; cert: string }): Promise<S3Server> {
  const state: State = {
    objects: new Map(),
    seen: [],
    faults: createFaults(),
    asked: 0,
    skew: 0,
    pageSize: 1000,
    connections: { opened: 0, open: 0 },
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const { seen } = state;
    state.asked += 1;
    response.once('close', () => seen.push(describe(request, response)));
    serve(state, request, response).catch(() => response.destroy());
  };
  let server: Server | undefined;
  let port = 0;
  const start = async () => {
    server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
    // An idle connection stays open until the client ends it, so that a test can count connections.
    server.keepAliveTimeout = 0;
    server.on('connection', (socket) => {
      state.connections.opened += 1;
      state.connections.open += 1;
      socket.once('close', () => {
        state.connections.open -= 1;
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closed = server === undefined ? undefined : once(server, 'close');
    server?.close();
    server?.closeAllConnections();
    await closed;
    server = undefined;
  };
  const url: S3Server['url'] = ({ id = credentials.keyId, secret = credentials.secret, ...rest } = {}) => {
    const query = `region=${credentials.region}${tls === undefined ? '&tls=0' : ''}${rest.query ?? ''}`;
    const place = `${tls === undefined ? '127.0.0.1' : 'localhost'}:${port}/${rest.bucket ?? bucket}`;
    return `s3://${id}:${encodeURIComponent(secret)}@${place}?${query}`;
  };
  await start();
  return Object.assign(state, { url, start, stop });
}

function describe(request: IncomingMessage, response: ServerResponse): S3Seen {
  const [path] = splitTarget(request);
  const code = String(response.getHeader('x-test-code') ?? '');
  return { method: request.method ?? '', path, status: response.headersSent ? response.statusCode : 0, code };
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const fault = state.faults.take(request);
  if (fault?.kind === 'early refusal') return hangUp(response, fault.status, fault.code);
  if (fault?.kind === 'stalled request') return undefined;
  if (fault?.kind === 'hasty 200') return response.writeHead(200, { 'content-length': 0 }).end();
  const verdict = judgeSignature(request, credentials, Date.now() + state.skew);
  if ('refusal' in verdict) return sendError(request, response, verdict.refusal);
  const refusal = judgeFraming(request, verdict.payload);
  if (refusal !== undefined) return sendError(request, response, refusal);
  const body = await readBody(request, fault);
  if (body === undefined) return undefined;
  if (!isPayload(verdict.payload, body)) {
    return sendError(request, response, { status: 400, code: 'XAmzContentSHA256Mismatch', message: 'Other bytes' });
  }
  if (fault?.kind === 'status') {
    return sendError(request, response, { status: fault.status, code: fault.code ?? '', message: 'A bad day' });
  }
  if (fault?.kind === 'slow first byte') await sleep(fault.milliseconds);
  return route(state, request, response, body, fault);
}

function hangUp(response: ServerResponse, status: number, code: string): ServerResponse {
  response.writeHead(status, { connection: 'close', 'x-test-code': code });
  return response.end(`<Error><Code>${code}</Code></Error>`);
}

/** Requests that Ceph or other common servers refuse. */
function judgeFraming({ method, headers }: IncomingMessage, payload: string): Refusal | undefined {
  const isChunked = headers['content-encoding']?.includes('aws-chunked') || payload.startsWith('STREAMING-');
  if (isChunked) return { status: 501, code: 'NotImplemented', message: 'aws-chunked' };
  const isUnknown = (name: string) => /^x-amz-(?:trailer|checksum-|sdk-)/.test(name);
  if (Object.keys(headers).some(isUnknown)) return { status: 400, code: 'InvalidArgument', message: 'Checksum header' };
  if (method === 'PUT' && headers['content-length'] === undefined) {
    return { status: 411, code: 'MissingContentLength', message: 'Length required' };
  }
  return undefined;
}

async function readBody(request: IncomingMessage, fault: S3Fault | undefined): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (fault?.kind !== 'reset in request' || size < fault.bytes) continue;
    request.socket.resetAndDestroy();
    return undefined;
  }
  return Buffer.concat(chunks);
}

function isPayload(claimed: string, body: Buffer): boolean {
  return claimed === 'UNSIGNED-PAYLOAD' || claimed === createHash('sha256').update(body).digest('hex');
}

async function route(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  fault: S3Fault | undefined,
): Promise<unknown> {
  const [path, search] = splitTarget(request);
  const [, name = '', ...rest] = path.split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const query = new Map(parseQuery(search));
  if (name !== bucket) return sendError(request, response, { status: 404, code: 'NoSuchBucket', message: 'No bucket' });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (key === '' && request.method === 'HEAD') return response.writeHead(200).end();
  if (key === '' && isRead && query.get('list-type') === '2') {
    return answerList(state.objects, query, state.pageSize, response, fault);
  }
  if (key !== '' && isRead) return answerObject(state.objects.get(key), request, query, response, fault);
  if (key !== '' && request.method === 'PUT') return store(state, key, body, request, response, fault);
  if (key !== '' && request.method === 'DELETE') {
    state.objects.delete(key);
    return response.writeHead(204).end();
  }
  return sendError(request, response, { status: 405, code: 'MethodNotAllowed', message: 'Method not allowed' });
}

async function store(
  { objects }: State,
  key: string,
  bytes: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
  fault: S3Fault | undefined,
): Promise<unknown> {
  if (fault?.kind === 'error in 200') {
    response.setHeader('x-test-code', fault.code);
    return response.end(`<?xml version="1.0"?>\n<Error><Code>${fault.code}</Code></Error>`);
  }
  if (fault?.kind === 'page in 200') return response.end('<!doctype html><title>Welcome</title>');
  if (fault?.kind === 'late success') await fault.until;
  objects.set(key, { bytes, modifiedAt: Date.now(), type: request.headers['content-type'] ?? '' });
  if (fault?.kind === 'mute success') return undefined;
  if (fault?.kind === 'lost answer') return request.socket.resetAndDestroy();
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  return response.writeHead(200, { etag, 'content-length': 0 }).end();
}
