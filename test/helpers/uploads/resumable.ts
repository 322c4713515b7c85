// Uploads in several requests over raw HTTP: each request as a test wants it, and requests that stay open until the test ends them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Envelope, readEnvelope } from '../requests/api.ts';
import { type RawReply, request, sendRaw } from '../requests/raw-request.ts';

export const uploads = '/api/file/upload';
export const partial = 'Content-Type: application/partial-upload';

/** An answer as one line for assertions: status, code of a failure, offset and completeness of the upload. */
type UploadReply = RawReply & { readonly envelope: Envelope; readonly outcome: string };

type UploadAsk = {
  readonly url: string;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
};

export async function send({ url, token, method, path, headers = [], body }: UploadAsk): Promise<UploadReply> {
  const isHead = method === 'HEAD';
  const bytes = request(`${method} ${path}`, [`Authorization: Bearer ${token}`, ...headers], body);
  const [reply = assert.fail(`no answer to ${method} ${path}`)] = await sendRaw(url, bytes, { isHead });
  const envelope = reply.body === '' ? ({ codeError: null, data: null } as Envelope) : readEnvelope(reply.body);
  return { ...reply, envelope, outcome: tell(reply, envelope) };
}

function tell({ status, headers }: RawReply, { codeError }: Envelope): string {
  const parts = [status, codeError, headers['upload-offset'], headers['upload-complete']];
  return parts.filter((part) => part !== undefined && part !== null).join(' ');
}

/** Calls as one user. */
export function uploaderAt(url: string, token: string) {
  return {
    create: (headers: readonly string[], body: string | Buffer = '', query = '?purpose=document') =>
      send({ url, token, method: 'POST', path: `${uploads}${query}`, headers, body }),
    append: (
      path: string,
      offset: number | string,
      complete: '?0' | '?1',
      body: string | Buffer,
      more: string[] = [],
    ) => {
      const headers = [partial, `Upload-Offset: ${offset}`, `Upload-Complete: ${complete}`, ...more];
      return send({ url, token, method: 'PATCH', path, headers, body });
    },
    head: (path: string) => send({ url, token, method: 'HEAD', path }),
    show: (path: string) => send({ url, token, method: 'GET', path }),
    cancel: (path: string) => send({ url, token, method: 'DELETE', path }),
    /** Begins a request, waits until the service reads its body, sends a part of it, and keeps the connection open. */
    begin: (line: string, headers: readonly string[], length: number, bytes: string) => {
      const own = [`Authorization: Bearer ${token}`, 'Expect: 100-continue', `Content-Length: ${length}`];
      return openRequest(url, request(line, [...own, ...headers]), bytes);
    },
  };
}

export type OpenRequest = {
  readonly socket: Socket;
  /** Everything that has arrived. */
  received(): string;
  /** Resolves when the service has closed the connection. */
  readonly closed: Promise<void>;
};

async function openRequest(url: string, head: Buffer, bytes: string): Promise<OpenRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  // A connection that is cut may end with a reset.
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
  socket.write(head);
  while (!received.includes('HTTP/1.1 100 ')) await once(socket, 'data');
  socket.write(bytes);
  return { socket, closed, received: () => received };
}
