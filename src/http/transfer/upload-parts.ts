// Three request forms of an upload, each the same stream of parts: raw body and JSON with base64 here, multipart beside.
import type { IncomingMessage } from 'node:http';
import type { UploadPart } from '../../files/take-parts.ts';
import type { BodyBound } from '../../files/upload-file.ts';
import { uploadTimes } from '../../files/upload-times.ts';
import { Failure } from '../../kernel/failure.ts';
import { parseJsonObject } from '../server/json-body.ts';
import { type ContentSplitter, createContentSplitter, restBytes } from './content-splitter.ts';
import { type BodyTimes, bodyOf } from './upload-body.ts';

const jsonFileBytes = 10 * 1024 * 1024;
/** Base64 makes a third more of them, and some writers escape the slash, which may be every letter of it. */
export const jsonBodyBytes = 2 * Math.ceil((jsonFileBytes * 4) / 3) + restBytes;

export type UploadForm = 'multipart' | 'json' | 'raw';

export function formOf(contentType: string | undefined): UploadForm {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (essence === 'multipart/form-data') return 'multipart';
  return essence === 'application/json' ? 'json' : 'raw';
}

export async function* rawParts(
  request: IncomingMessage,
  name: string | undefined,
  bound: BodyBound,
  times: BodyTimes = uploadTimes,
): AsyncIterable<UploadPart> {
  yield { kind: 'file', name, type: request.headers['content-type'], bytes: bodyOf(request, bound.bytes, times) };
}

/** The content is decoded as it comes; what else the object says is known at its end, wherever it stands. */
export async function* jsonParts(request: IncomingMessage, times: BodyTimes = uploadTimes): AsyncIterable<UploadPart> {
  const splitter = createContentSplitter();
  const content = contentOf(bodyOf(request, jsonBodyBytes, times), splitter);
  const begin = await content.next();
  if (begin.done !== true)
    yield { kind: 'file', name: undefined, type: undefined, bytes: continued(begin.value, content) };
  const { purpose, name, type, content: emptied = '' } = parseJsonObject(splitter.rest());
  for (const [field, value] of Object.entries({ purpose, name, type, content: emptied })) {
    if (value !== undefined && (typeof value !== 'string' || value.length > 1024))
      throw new Failure('REQUEST_INVALID', { field });
  }
  if (purpose !== undefined) yield { kind: 'field', name: 'purpose', value: purpose as string };
  yield { kind: 'label', name: name as string | undefined, type: type as string | undefined };
}

/** Yields first when the content begins, then while it lasts; reads the body to its end. */
async function* contentOf(body: AsyncIterable<Buffer>, splitter: ContentSplitter): AsyncGenerator<Buffer> {
  let bodySize = 0;
  let fileSize = 0;
  for await (const chunk of body) {
    bodySize += chunk.length;
    const bytes = splitter.take(chunk);
    fileSize += bytes?.length ?? 0;
    if (fileSize > jsonFileBytes || bodySize > jsonBodyBytes) throw new Failure('FILE_TOO_LARGE', { limit: '10 MiB' });
    if (bytes !== undefined) yield bytes;
  }
}

async function* continued(first: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first;
  yield* rest;
}
