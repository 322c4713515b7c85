// A small server that takes uploads in several requests and fails as a test plans it: cuts, lost answers, and answers of proxies.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fault = {
  /** The connection breaks after so many bytes of the body. They are kept. */
  readonly cutAfter?: number;
  /** The request takes effect, and its answer is lost. */
  readonly isAnswerLost?: boolean;
  /** The request takes no effect, and is answered so. Without a code it is the answer of a proxy. */
  readonly status?: number;
  readonly code?: string;
  readonly headers?: Record<string, string>;
  /** The service has lost so many bytes before. */
  readonly loses?: number;
};

type Upload = {
  readonly id: string;
  readonly key: string;
  readonly length: number;
  bytes: Buffer;
  file: object | null;
};

type Reply = [status: number, data: unknown, headers?: Record<string, string>];

type SeenRequest = {
  /** `PATCH ?0`, `POST`, `GET`, `DELETE`. */
  readonly line: string;
  readonly bytes: number;
  readonly headers: IncomingMessage['headers'];
};

/** Asked for each request, with its number among those with the same line, and the size of its body. */
export type Plan = (line: string, number: number, bytes: number) => Fault | undefined;

export async function startUploadDouble(plan: Plan = () => undefined, limit = 2 ** 20) {
  const uploads = new Map<string, Upload>();
  const files: string[] = [];
  const seen: SeenRequest[] = [];
  const cancelled: string[] = [];
  let created = 0;
  const listening: { onRequest?: (request: SeenRequest) => void } = {};

  const answer = (response: ServerResponse, [status, data, headers]: Reply) => {
    const limits = `max-size=999999999, max-append-size=${limit}`;
    response.writeHead(status, { 'content-type': 'application/json', 'upload-limit': limits, ...headers });
    const success = status < 300;
    const message = 'Planned.';
    response.end(JSON.stringify({ success, message, codeError: success ? null : data, data: success ? data : null }));
  };
  const uploadOf = ({ url = '' }: IncomingMessage) => uploads.get(url.split('/').at(-1) ?? '');
  const stateOf = ({ id, bytes, length, file }: Upload) => ({
    id,
    url: `/api/file/upload/${id}`,
    offset: bytes.length,
    length,
    complete: file !== null,
    expiresAt: new Date(0).toISOString(),
    file,
  });
  const finish = (upload: Upload) => {
    const sha256 = createHash('sha256').update(upload.bytes).digest('hex');
    if (upload.file === null) files.push(sha256);
    upload.file ??= { id: `fil_${files.length}`, sha256, size: upload.bytes.length };
    return upload.file;
  };

  const take = (request: IncomingMessage, body: Buffer): Reply => {
    const header = (name: string) => String(request.headers[name] ?? '');
    if (request.method === 'POST') {
      const key = header('idempotency-key');
      const length = Number(header('upload-length'));
      const open = [...uploads.values()].find((upload) => upload.key === key && upload.file === null);
      const upload = open ?? { id: `upl_${created++}`, key, length, bytes: body, file: null };
      uploads.set(upload.id, upload);
      return [201, stateOf(upload)];
    }
    const upload = uploadOf(request);
    if (upload === undefined) return [404, 'UPLOAD_NOT_FOUND'];
    if (request.method === 'GET') return [200, stateOf(upload)];
    if (request.method === 'DELETE') {
      uploads.delete(upload.id);
      cancelled.push(upload.id);
      return [200, null];
    }
    const isLast = header('upload-complete') === '?1';
    const offset = upload.bytes.length;
    if (upload.file !== null && isLast) return [201, upload.file];
    if (header('content-type') !== 'application/partial-upload') return [415, 'MEDIA_TYPE_UNSUPPORTED'];
    if (Number(header('upload-offset')) !== offset)
      return [409, 'UPLOAD_OFFSET_WRONG', { 'upload-offset': `${offset}` }];
    upload.bytes = Buffer.concat([upload.bytes, body]);
    if (!isLast) return [200, stateOf(upload)];
    return upload.bytes.length === upload.length ? [201, finish(upload)] : [400, 'REQUEST_INVALID'];
  };

  const server = createServer((request, response) => {
    const { method = '', headers } = request;
    const line = method === 'PATCH' ? `PATCH ${headers['upload-complete']}` : method;
    const one = { line, bytes: Number(headers['content-length'] ?? 0), headers };
    seen.push(one);
    listening.onRequest?.(one);
    const fault = plan(line, seen.filter((each) => each.line === line).length, one.bytes) ?? {};
    const { cutAfter: most = Number.POSITIVE_INFINITY, isAnswerLost = false, status, code, loses = 0 } = fault;
    const chunks: Buffer[] = [];
    const received = () => Buffer.concat(chunks).subarray(0, most);
    let size = 0;
    let isOver = false;
    /** What arrived before the connection broke is kept. */
    const cut = () => {
      if (isOver) return;
      isOver = true;
      const upload = uploadOf(request);
      if (method === 'PATCH' && upload !== undefined && Number(headers['upload-offset']) === upload.bytes.length)
        upload.bytes = Buffer.concat([upload.bytes, received()]);
      request.destroy();
    };
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) cut();
    });
    request.on('error', () => undefined);
    request.on('close', () => {
      if (!request.complete) cut();
    });
    request.on('end', () => {
      if (isOver) return;
      isOver = true;
      if (status !== undefined) {
        if (code === undefined) response.writeHead(status, fault.headers).end('<html>');
        else answer(response, [status, code, fault.headers ?? {}]);
        return;
      }
      const upload = uploadOf(request);
      if (upload !== undefined) upload.bytes = upload.bytes.subarray(0, upload.bytes.length - loses);
      const reply = take(request, Buffer.concat(chunks));
      if (isAnswerLost || most <= size) response.destroy();
      else answer(response, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    uploads,
    /** SHA-256 of each stored file. */
    files,
    seen,
    cancelled,
    lines: () => seen.map(({ line }) => line),
    count: (line: string) => seen.filter((each) => each.line === line).length,
    forget: () => uploads.clear(),
    onRequest: (listener: (request: SeenRequest) => void) => {
      listening.onRequest = listener;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
