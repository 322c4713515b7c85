// The answers of the tests' S3 server: errors, lists by page, and objects complete or by range, with and without faults.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Fault } from './s3-server-faults.ts';
import type { Refusal } from './s3-server-signature.ts';

export type S3Object = { readonly bytes: Buffer; readonly modifiedAt: number; readonly type: string };

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: Refusal,
): ServerResponse {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  // As on real servers, the error quotes the request, which a client must not write to its log.
  const quoted = xml.replace('</Error>', `<StringToSign>${request.headers.authorization ?? ''}</StringToSign></Error>`);
  response.writeHead(status, { 'content-type': 'application/xml', 'x-test-code': code });
  return response.end(request.method === 'HEAD' ? undefined : quoted);
}

export function answerList(
  objects: Map<string, S3Object>,
  query: Map<string, string>,
  pageSize: number,
  response: ServerResponse,
  fault: S3Fault | undefined,
): ServerResponse {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === undefined ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64').toString();
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? 1000)));
  const next = page.length < keys.length ? Buffer.from(page.at(-1) ?? '').toString('base64') : undefined;
  const encodes = query.get('encoding-type') === 'url';
  const keyText = (key: string) => (encodes ? encodeURIComponent(key).replaceAll('%20', '+') : escapeXml(key));
  const contents = page.map((key) => describeObject(keyText(key), objects.get(key))).join('');
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `${encodes ? '<EncodingType>url</EncodingType>' : ''}<Prefix>${encodes ? encodeURIComponent(prefix) : escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><IsTruncated>${next !== undefined}</IsTruncated>`,
    `${contents}${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}</ListBucketResult>`,
  ].join('');
  response.setHeader('content-type', 'application/xml');
  return response.end(fault?.kind === 'odd list' ? fault.xml : xml);
}

function describeObject(key: string, object: S3Object | undefined): string {
  const { bytes = Buffer.alloc(0), modifiedAt = 0 } = object ?? {};
  const date = new Date(modifiedAt).toISOString();
  const owner = '<Owner><ID>tests</ID></Owner><StorageClass>STANDARD</StorageClass>';
  return `<Contents><Key>${key}</Key><LastModified>${date}</LastModified><Size>${bytes.length}</Size>${owner}</Contents>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function answerObject(
  object: S3Object | undefined,
  request: IncomingMessage,
  query: Map<string, string>,
  response: ServerResponse,
  fault: S3Fault | undefined,
): ServerResponse {
  if (object === undefined) {
    return sendError(request, response, { status: 404, code: 'NoSuchKey', message: 'No such key' });
  }
  const { bytes } = object;
  const range = fault?.kind === 'range ignored' ? 'all' : findRange(request.headers.range, bytes.length);
  if (range === 'none') {
    return sendError(request, response, { status: 416, code: 'InvalidRange', message: 'Not satisfiable' });
  }
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-type', query.get('response-content-type') ?? object.type);
  for (const name of ['content-disposition', 'cache-control', 'content-language', 'expires', 'content-encoding']) {
    const wanted = query.get(`response-${name}`);
    if (wanted !== undefined) response.setHeader(name, wanted);
  }
  if (range === 'all') return sendBytes(request, response, 200, bytes, fault);
  const shift = fault?.kind === 'range moved' ? (range.start > 0 ? -1 : 1) : 0;
  const [start, end] = [range.start + shift, range.end + shift];
  response.setHeader('content-range', `bytes ${start}-${end}/${bytes.length}`);
  return sendBytes(request, response, 206, bytes.subarray(start, end + 1), fault);
}

function findRange(header: string | undefined, size: number): { start: number; end: number } | 'all' | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return 'all';
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start < size && start <= end ? { start, end } : 'none';
}

function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  right: Buffer,
  fault: S3Fault | undefined,
): ServerResponse {
  const difference = fault?.kind === 'wrong length' ? fault.difference : 0;
  const bytes = Buffer.concat([right, Buffer.alloc(Math.max(0, difference))]).subarray(0, right.length + difference);
  if (fault?.kind !== 'no length') response.setHeader('content-length', bytes.length);
  response.writeHead(status);
  if (request.method === 'HEAD') return response.end();
  if (fault?.kind === 'stalled body') response.write(bytes.subarray(0, fault.bytes));
  else if (fault?.kind === 'truncated body') response.write(bytes.subarray(0, fault.bytes), () => request.socket.end());
  else if (fault?.kind === 'dripping body') void drip(response, bytes, fault.parts, fault.pauseMilliseconds);
  else response.end(bytes);
  return response;
}

async function drip(response: ServerResponse, bytes: Buffer, parts: number, pauseMilliseconds: number): Promise<void> {
  const length = Math.ceil(bytes.length / parts);
  for (let at = 0; at < bytes.length; at += length) {
    response.write(bytes.subarray(at, at + length));
    await sleep(pauseMilliseconds);
  }
  response.end();
}
